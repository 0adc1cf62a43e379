// Finds the view of the address, shows it, and keeps it up to date.
import { html, nothing, render } from './lit-html.js';
import { get, holder, key, onRefused } from './api.js';
import { begin, finish, providers, revoke, session } from './signin.js';
import { stored } from './registry.js';
import { Feed } from './feed.js';
import { overview } from './overview.js';
import { agents } from './agents.js';
import { grouped, happened, many, short, spoken, subject } from './format.js';
import { agent } from './agent.js';
import { failure, loading } from './parts.js';
import { pressed, searchEverywhere } from './search.js';
import { events } from './events.js';
import { isAdministration, isRefused, refused } from './administration.js';
import { problem, problems } from './problems.js';

// How often the feed is read while the tab is visible; a tab in the background sends nothing.
const FEED_SECONDS = 10;
// Figures that change without an event, such as the time since a heartbeat, are read again as often.
const EVERYTHING_SECONDS = 60;
// For so long after a change, views that follow with the next sweep are read with the feed.
const LAG_SECONDS = 70;
// The severities of open problems with which the icon of the tab warns.
const ALARMING = ['critical', 'error'];
// The open problems that the title counts; more are shown as this number with a plus sign.
const MAX_WANTING = 100;
const THEMES = { '': 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' };

// The views by the first part of the address.
const VIEWS = {
  problems,
  events,
  pools: later(() => import('./pools.js'), 'pools'),
  trust: later(() => import('./trust.js'), 'trust'),
  keys: later(() => import('./keys.js'), 'keys'),
  'identity-providers': later(() => import('./providers.js'), 'identityProviders'),
  waiting: later(() => import('./waiting.js'), 'waiting'),
  stops: later(() => import('./stops.js'), 'stops'),
  containment: later(() => import('./containment.js'), 'containment'),
  silences: later(() => import('./silences.js'), 'silences'),
  'status-page': later(() => import('./statuspage.js'), 'statusPage'),
  notifications: later(() => import('./notifications.js'), 'notifications'),
  sources: later(() => import('./sources.js'), 'sources'),
  workflows: later(() => import('./workflows.js'), 'workflows'),
  configuration: later(() => import('./configuration.js'), 'configuration'),
  audit: later(() => import('./audit.js'), 'audit'),
};

/** A view whose file is read when it is opened, so that the first visit reads less. */
function later(file, name) {
  return (shown, parameters) => {
    const self = { title: 'Loading', view: () => loading };
    file().then(module => {
      if (shown.view !== self) return;
      shown.view = module[name](shown, parameters);
      draw();
      // A new view is read from its beginning, by keyboard and screen reader too.
      root.querySelector('main')?.focus({ preventScroll: true });
    }, () => {
      self.view = () => failure({ message: 'The view cannot be loaded. Try again.' });
      draw();
    });
    return self;
  };
}

const tabs = new BroadcastChannel(stored('agent-health'));
const root = document.getElementById('app');

const app = {
  feed: new Feed(),
  me: null,
  may: { change: false, administer: false },
  view: null,
  show: () => draw(),
  // Counts the open problems anew after an action.
  counted: () => count().then(draw),
};

let failed = '';
let offline = '';
// The number of problems that nobody takes care of; empty for none.
let wanting = '';
let alarming = false;
let entering = false;
// The ways to sign in beside a key.
let ways = [];
// Where the provider of the session that was left ends its own.
let left = null;
let readAt = 0;
let changedAt = 0;
let updating = false;
// What changed last, for screen readers.
let announced = '';

function route() {
  const [path, search] = (location.hash.slice(1) || '/').split('?');
  const parameters = new URLSearchParams(search);
  const parts = path.split('/').filter(Boolean).map(decoded);
  if (parts[0] === 'agents' && parts.length > 1) return agent(app, parts.slice(1).join('/'));
  if (parts[0] === 'agents') return agents(app, parameters);
  if (parts[0] === 'problems' && parts.length > 1) return problem(app, parts[1]);
  if (Object.hasOwn(VIEWS, parts[0] || '') && parts.length === 1) return isRefused(app, parts[0]) ? refused : VIEWS[parts[0]](app, parameters);
  if (parts.length) return unknown;
  return app.may.list ? overview(app) : agents(app, parameters);
}

const unknown = { title: 'Unknown address', view: () => html`<h1>Unknown address</h1><p>The page has no view <code>${location.hash}</code>.</p><p><a href=${app.may.list ? '#/' : '#/agents'}>${app.may.list ? 'Fleet' : 'Agents'}</a></p>` };

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch (e) {
    return part;
  }
}

function draw() {
  if (!app.me) {
    render(signIn(), root);
    return;
  }
  render(frame(), root);
  app.view?.shown?.(root);
  document.title = `${wanting ? `(${wanting}) ` : ''}${app.view?.title || 'Fleet'} · Agent Health`;
  const icon = document.querySelector('link[rel=icon]');
  icon.href = icon.href.replace(/icon[^/]*\.svg/, alarming ? 'icon-alert.svg' : 'icon.svg');
}

const viewName = () => location.hash.slice(1).split('?')[0].split('/')[1] || '';
const at = name => viewName() === name ? 'page' : nothing;

const frame = () => html`<a class="skip" href="#main" @click=${e => { e.preventDefault(); root.querySelector('main').focus(); }}>Skip to the content</a>
  <header><a class="brand" href="#/">Agent Health</a>
    <nav aria-label="Views">
      <a href="#/problems" aria-current=${at('problems')}>Problems${wanting ? html`<span class="count ${alarming ? '' : 'mild'}" title="open problems">${wanting}</span>` : nothing}</a>
      ${app.may.list ? html`<a href="#/" aria-current=${at('')}>Fleet</a>` : nothing}
      <a href="#/agents" aria-current=${!app.may.list && !viewName() ? 'page' : at('agents')}>Agents</a>
      ${app.may.list ? html`<a href="#/waiting" aria-current=${at('waiting')}>Waiting</a><a href="#/pools" aria-current=${at('pools')}>Pools</a><a href="#/events" aria-current=${at('events')}>Events</a><a href="#/trust" aria-current=${at('trust')}>Trust</a>` : nothing}
      ${app.may.list ? nothing : html`<a href="#/silences" aria-current=${at('silences')}>Silences</a>`}
      ${app.may.list && app.may.change && !app.may.administer ? html`<a href="#/status-page" aria-current=${at('status-page')}>Status page</a>` : nothing}
      ${app.may.administer ? html`<a href="#/keys" aria-current=${isAdministration(viewName()) ? 'page' : nothing}>Administration</a>` : nothing}
    </nav>
    <button type="button" class="find" @click=${() => searchEverywhere(app)}><span>Search</span> <kbd>Ctrl K</kbd></button>
    <div class="user"><span title=${app.me.role_ids?.length ? `${app.me.key_id}, limited to the roles ${app.me.role_ids.join(', ')}` : app.me.key_id}>${
      app.me.key_id === app.me.role ? app.me.role : `${app.me.kind === 'person' ? app.me.name : short(app.me.key_id)} (${app.me.role})`}</span>
      <button type="button" @click=${nextTheme}>${THEMES[theme()]}</button>
      <button type="button" @click=${leaveSession}>Sign out</button></div></header>
  <p class="hidden" role="status">${announced}</p>
  <main id="main" tabindex="-1">${offline ? html`<p class="banner bad" role="alert">${offline} Figures may be old.</p>` : nothing}
    ${app.view?.view() ?? nothing}</main>`;

const signIn = () => html`<main class="sign-in"><form @submit=${enter}>
  <h1>Agent Health</h1>
  ${left ? html`<p>You are signed out. <a href=${left.endSession}>Sign out of ${left.provider} too</a></p>` : nothing}
  ${ways.map(way => html`<button type="button" class="primary" ?disabled=${entering} @click=${() => leave(way)}>Sign in by ${way.name}</button>`)}
  <p>Enter an API key. A key with the role <code>viewer</code> suffices to look.</p>
  <label>API key <input name="key" type="password" autocomplete="off" required autofocus></label>
  <label class="box"><input name="keep" type="checkbox"> Keep me signed in on this device</label>
  <p class="note">Otherwise only in this tab. Signing out ends all tabs.</p>
  ${failed ? html`<p class="failure" role="alert">${failed}</p>` : nothing}
  <button type="submit" class=${ways.length ? '' : 'primary'} ?disabled=${entering}>${entering ? 'One moment …' : 'Open'}</button></form></main>`;

/** Reads the ways to sign in; without them, keys remain. */
async function findWays() {
  ways = await providers().catch(() => []);
  if (!app.me) draw();
}

function leaveSession() {
  const held = key.get() ? null : session.get();
  left = held?.endSession ? held : null;
  if (held) revoke(held);
  signOut();
  tabs.postMessage('signed out');
}

async function leave(way) {
  try {
    await begin(way, Boolean(root.querySelector('[name=keep]')?.checked));
  } catch (e) {
    signOut(e.message);
  }
}

/** Ends the sign-in with which the provider came back, if there is one. */
async function arrive() {
  entering = new URLSearchParams(location.search).has('state');
  draw();
  try {
    if (await finish()) key.set('');
  } catch (e) {
    failed = e.message;
  }
  entering = false;
  if (holder()) enter();
  else {
    draw();
    findWays();
  }
}

async function enter(event) {
  event?.preventDefault();
  if (event) {
    const data = new FormData(event.target);
    key.clear();
    key.set(data.get('key').trim(), data.has('keep'));
  }
  const entered = holder();
  if (/[^\x21-\x7e]/.test(entered)) {
    signOut('A key has visible ASCII characters only. Use it as it was issued.');
    return;
  }
  entering = true;
  draw();
  try {
    const me = await get('/api/v1/me');
    if (holder() !== entered) return;
    app.me = me;
    app.may = {
      list: app.me.role !== 'agent',
      change: ['agent', 'coordinator', 'administrator'].includes(app.me.role),
      administer: app.me.role === 'administrator',
    };
    app.list = null;
    app.feed = new Feed();
    app.feed.allowed = app.may.list;
    open();
    update();
    failed = '';
    left = null;
  } catch (e) {
    if (holder() !== entered) return;
    app.me = null;
    const over = e.status === 401 || e.status === 403;
    failed = !over ? `${e.message} ${key.get() ? 'The key' : 'The sign-in'} is tried again every ${FEED_SECONDS} seconds.` : key.get() ? 'This key is not valid.' : e.message;
    if (over) {
      key.clear();
      findWays();
    }
  }
  entering = false;
  draw();
}

function signOut(reason = '') {
  key.clear();
  app.me = null;
  app.view = null;
  app.list = null;
  announced = '';
  wanting = '';
  alarming = false;
  entering = false;
  failed = reason;
  draw();
  findWays();
}

function open() {
  if (!app.me) return;
  readAt = Date.now();
  app.view = route();
  draw();
  window.scrollTo(0, 0);
  // A new view is read from its beginning, by keyboard and screen reader too.
  root.querySelector('main').focus({ preventScroll: true });
}

/** Counts the problems that wait for somebody, for the title and the icon of the tab. */
async function count() {
  try {
    const { problems: found, next_token: more } = await get(`/api/v1/problems?state=open&limit=${MAX_WANTING}`);
    wanting = found.length ? `${found.length}${more ? '+' : ''}` : '';
    alarming = found.some(problem => ALARMING.includes(problem.severity));
  } catch (e) {
    if (e.status !== 403) throw e;
  }
}

async function update() {
  if (document.hidden || updating) return;
  if (!app.me) {
    if (holder() && !entering) enter();
    return;
  }
  updating = true;
  try {
    const started = !app.feed.token;
    const changed = await app.feed.update();
    if (changed.length) changedAt = Date.now();
    const lags = app.view?.lags && Date.now() - changedAt < LAG_SECONDS * 1000;
    // An empty list: what follows from changes may be there now.
    const due = offline || lags || Date.now() - readAt >= EVERYTHING_SECONDS * 1000;
    offline = '';
    if (changed.length && !started) {
      announced = announcement(changed);
      app.view?.refresh?.(changed);
    } else if (due) app.view?.refresh?.(lags ? [] : undefined);
    // Problems follow events; a key without the feed reads them with the figures.
    if (started || Date.now() - changedAt < LAG_SECONDS * 1000 || due && !app.feed.allowed) await count();
    if (changed.length || due) readAt = Date.now();
  } catch (e) {
    if (app.me) offline = e.message;
  }
  updating = false;
  draw();
}

function announcement(changed) {
  const [first] = grouped(changed);
  return `${many(changed.length, 'change')}: ${subject(first[0])} ${spoken(first.map(happened).join(', '))}`;
}

const theme = () => localStorage.getItem('theme') || '';

function nextTheme() {
  const names = Object.keys(THEMES);
  localStorage.setItem('theme', names[(names.indexOf(theme()) + 1) % names.length]);
  applyTheme();
  draw();
}

function applyTheme() {
  if (theme()) document.documentElement.dataset.theme = theme();
  else delete document.documentElement.dataset.theme;
}

/** Takes a key out of the address (#key=…), which the browser never sends, so that it is neither shown nor kept in the history. */
function takeKey() {
  if (!location.hash.startsWith('#key=')) return false;
  key.clear();
  key.set(decoded(location.hash.slice('#key='.length)));
  history.replaceState(null, '', '#/');
  return true;
}

/** A click anywhere in a row follows the link that names it, unless text is being selected. */
function followRow(event) {
  const row = event.target.closest('main tbody tr');
  if (!row || event.target.closest('a, button, input, select, label') || String(getSelection())) return;
  row.querySelector('th a')?.dispatchEvent(new MouseEvent('click', event));
}

/** The key "/" goes to the search of the view, or to that of the agents. */
function search(event) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !app.me || event.target.closest('input, textarea, select, dialog')) return;
  event.preventDefault();
  if (!root.querySelector('main input[type=search]')) {
    history.pushState(null, '', '#/agents');
    open();
  }
  root.querySelector('main input[type=search]')?.focus();
}

// The other tabs of this registry end with this one.
tabs.addEventListener('message', () => app.me && signOut('You signed out in another tab.'));
applyTheme();
takeKey();
onRefused(() => app.me && signOut(key.get() ? 'This key is not valid any more.' : 'The session has ended. Sign in again.'));
window.addEventListener('hashchange', () => takeKey() ? enter() : open());
root.addEventListener('click', followRow);
document.addEventListener('keydown', search);
document.addEventListener('keydown', event => app.me && pressed(app, event));
window.addEventListener('resize', () => draw());
window.addEventListener('scroll', () => app.view?.scrolled?.(), { passive: true });
document.addEventListener('visibilitychange', update);
setInterval(update, FEED_SECONDS * 1000);
arrive();
