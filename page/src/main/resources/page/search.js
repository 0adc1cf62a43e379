// Search everywhere (Ctrl or Cmd and K), and keys: "?" shows them.
import { html, nothing, render } from './lit-html.js';
import { eachPage } from './api.js';
import { readProblems } from './problems.js';
import { badge } from './parts.js';

const MAX_AGENTS = 5000;
const MAX_PROBLEMS = 100;
const MAX_SHOWN = 12;
const KEPT_MILLIS = 60_000;

const KEYS = [['Ctrl K or ⌘ K', 'search agents, roles, problems and pages'], ['/', 'go to the search of the view'], ['j and k', 'go to the next or previous row'],
  ['Enter', 'open the row'], ['a', 'acknowledge the problem of the row, or of the view'], ['?', 'show these keys']];

let known = [];
let readAt = 0;

const PAGES = app => [['Problems', '#/problems'], ...app.may.list ? [['Fleet', '#/'], ['Pools', '#/pools'], ['Events', '#/events'], ['Trust', '#/trust']] : [], ['Agents', '#/agents'], ['Silences', '#/silences'],
  ...app.may.list ? [['Status page', '#/status-page']] : [],
  ...app.may.administer ? [['Keys', '#/keys'], ['Sign-in', '#/identity-providers'], ['Notifications', '#/notifications'], ['Sources', '#/sources'], ['Workflows', '#/workflows'], ['Configuration', '#/configuration'], ['Audit', '#/audit']] : []]
  .map(([name, href]) => ({ kind: 'page', name, href }));

async function read(app) {
  if (Date.now() - readAt < KEPT_MILLIS) return;
  const agents = [];
  await eachPage('/api/v1/agents?status=active,draining,unhealthy,dead&limit=1000', 'agents', page => { agents.push(...page); return agents.length < MAX_AGENTS; });
  const problems = await readProblems({}, MAX_PROBLEMS);
  const roles = [...new Set(agents.map(a => a.role_id).filter(Boolean))];
  known = [...problems.map(p => ({ kind: 'problem', name: p.summary, href: `#/problems/${p.problem_id}`, state: p.severity })),
    ...roles.map(role => ({ kind: 'role', name: role, href: `#/agents?role_id=${encodeURIComponent(role)}` })),
    ...agents.map(a => ({ kind: 'agent', name: a.agent_id, more: a.name || '', href: `#/agents/${encodeURIComponent(a.agent_id)}`, state: a.verdict }))];
  readAt = Date.now();
}

/** Where the words are in a name: 0 at its beginning, -1 where one is missing. */
function rank({ name, more = '' }, words) {
  const text = `${name} ${more}`.toLowerCase();
  return words.every(word => text.includes(word)) ? text.indexOf(words[0]) : -1;
}

function opened(label) {
  const dialog = document.createElement('dialog');
  dialog.className = 'palette';
  dialog.setAttribute('aria-label', label);
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', e => { if (e.target === dialog) dialog.close(); });
  document.body.append(dialog);
  return dialog;
}

/** Opens the search. */
export function searchEverywhere(app) {
  if (document.querySelector('dialog')) return;
  const dialog = opened('Search');
  let text = '';
  let chosen = 0;
  let failed = '';
  const found = () => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const all = [...PAGES(app), ...known];
    return (words.length ? all.map(it => [rank(it, words), it]).filter(([at]) => at >= 0).sort(([x], [y]) => x - y).map(([, it]) => it) : all).slice(0, MAX_SHOWN);
  };
  const go = it => {
    if (!it) return;
    dialog.close();
    location.hash = it.href.slice(1);
  };
  const press = e => {
    const last = found().length - 1;
    if (e.key === 'ArrowDown') chosen = Math.min(last, chosen + 1);
    else if (e.key === 'ArrowUp') chosen = Math.max(0, chosen - 1);
    else if (e.key === 'Enter') {
      e.preventDefault();
      go(found()[chosen]);
      return;
    } else return;
    e.preventDefault();
    draw();
  };
  const draw = () => render(html`<input type="search" role="combobox" aria-label="Search agents, roles, problems and pages" placeholder="Agents, roles, problems, pages" autocomplete="off"
      aria-expanded="true" aria-controls="found" aria-activedescendant=${found().length ? `found-${chosen}` : nothing} @input=${e => { text = e.target.value; chosen = 0; draw(); }} @keydown=${press}>
    <div id="found" role="listbox" aria-label="Found">${found().map((it, i) => html`<div role="option" id=${`found-${i}`} aria-selected=${i === chosen} @click=${() => go(it)}>
      <small>${it.kind}</small> <span><bdi>${it.name}</bdi></span> ${it.state ? badge(it.state) : nothing}</div>`)}</div>
    ${failed ? html`<p class="wrong" role="alert">${failed}</p>` : !found().length ? html`<p class="empty">Nothing found.</p>` : nothing}`, dialog);
  draw();
  dialog.showModal();
  read(app).catch(e => { failed = e.message; }).finally(() => dialog.open && draw());
}

function showKeys() {
  const dialog = opened('Keys');
  render(html`<h2>Keys</h2><dl class="pairs">${KEYS.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <div class="actions"><button type="button" @click=${() => dialog.close()}>Close</button></div>`, dialog);
  dialog.showModal();
}

/** The rows of a view: entries of problems, and rows that lead to something. */
const rows = () => [...document.querySelectorAll('main .problems li a, main tbody th a, main .events li a')].filter(link => link.checkVisibility()).filter((link, i, all) => all.findIndex(one => rowOf(one) === rowOf(link)) === i);
const rowOf = link => link.closest('li, tr');

function move(step) {
  const links = rows();
  const at = links.findIndex(link => rowOf(link).contains(document.activeElement));
  const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const acknowledge = () => (document.activeElement?.closest('li, tr') || document.querySelector('main'))?.querySelector('button[aria-label^="Acknowledge"]')?.click();

/** Does what a key stands for. */
export function pressed(app, event) {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    searchEverywhere(app);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, dialog')) return;
  if (event.key === '?') showKeys();
  else if (event.key === 'j') move(1);
  else if (event.key === 'k') move(-1);
  else if (event.key === 'a') acknowledge();
  else return;
  event.preventDefault();
}
