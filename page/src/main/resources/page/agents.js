// The list of agents: searched, filtered and sorted here, with only the visible rows in the document.
import { html, nothing } from './lit-html.js';
import { eachPage, query } from './api.js';
import { STATUSES, UNHEARD, VERDICTS, many, number, seenBy, whys, words } from './format.js';
import { badge, csv, empty, failure, legend, menu, moment, save } from './parts.js';
import { STATES as DAY, dayOf, latencyOf, trends } from './trends.js';
import * as actions from './actions.js';

// The heights of a row in the style sheet: of a table, and of a block on a narrow screen.
const ROW = 50;
const BLOCK = 112;
const NARROW = 800;
const PAGE = 1000;
const MAX_AGENTS = 50_000;
const MARGIN = 8;
const MAX_SUGGESTED = 200;
// The least time between two readings of a list, for each page of it: a larger list is read less often.
const MILLIS_PER_PAGE = 30_000;

// Filters that the API applies; the others are applied here.
const FILTERS = ['role_id', 'status', 'verdict', 'capabilities', 'kind', 'declaration'];
// Unless a status is chosen, all agents but those that left.
const PRESENT = 'active,draining,unhealthy,dead';

const VERDICT_RANK = { ok: 0, unknown: 1, degraded: 2, down: 3, blocked: 4, gone: -1 };
// The columns; one without `value` cannot be sorted. `shown` is its cell, and `figure` aligns it to the right.
const COLUMNS = {
  agent_id: { title: 'agent', value: a => a.agent_id },
  verdict: { title: 'verdict', value: a => -VERDICT_RANK[a.verdict], shown: a => html`<div class="two">${badge(a.verdict)}<span class="why">${whys(a)}</span></div>`, hint: whys },
  day: { title: 'last 24 hours', shown: a => dayOf(a.agent_id) },
  latency: { title: 'latency', shown: a => latencyOf(a.agent_id), figure: true },
  status: { title: 'status', value: a => a.status, shown: a => words(a.status) },
  role_id: { title: 'role', value: a => a.role_id || '', shown: a => html`<bdi>${a.role_id}</bdi>`, hint: a => a.role_id || '' },
  provider_id: { title: 'provider', value: a => a.provider_id || '', shown: a => html`<bdi>${a.provider_id}</bdi>`, hint: a => a.provider_id || '' },
  score: { title: 'score', value: a => a.score, shown: a => (a.score ?? null) === null ? '' : number(a.score), figure: true, filled: a => (a.score ?? null) !== null },
  load: { title: 'load', value: a => a.capacity?.current_load, shown: loadOf, figure: true, filled: a => a.capacity },
  heartbeat: { title: 'heartbeat', value: a => a.heard === false ? '' : -Date.parse(a.last_heartbeat_at), shown: a => a.heard === false ? UNHEARD : moment(a.last_heartbeat_at), hint: a => seenBy(a).trim() },
};
const CHOSEN = ['verdict', 'day', 'latency', 'role_id', 'score', 'load', 'heartbeat'];

const STATES = {
  Healthy: a => a.score >= 85,
  Degraded: a => a.score !== null && a.score >= 65 && a.score < 85,
  Unhealthy: a => a.score !== null && a.score < 65,
  Inactive: a => a.score === null,
};

function loadOf({ capacity }) {
  if (!capacity) return '';
  const most = capacity.max_concurrent_tasks ?? null;
  return most === null ? number(capacity.current_load) : `${number(capacity.current_load)} / ${number(most)}`;
}

/** The columns that this browser shows; those without any value are left out where agents are given. */
function chosenColumns(agents) {
  let names = CHOSEN;
  try {
    const kept = JSON.parse(localStorage.getItem('agent-columns'));
    if (Array.isArray(kept)) names = kept;
  } catch (e) {
    // What is kept there is of another program.
  }
  const filled = name => !agents?.length || !['role_id', 'provider_id', 'score', 'load'].includes(name) || agents.some(COLUMNS[name].filled || (a => a[name]));
  return Object.keys(COLUMNS).filter(name => name === 'agent_id' || names.includes(name) && filled(name));
}

/** The texts of an agent that are searched. */
const searched = a => [a.agent_id, a.name, a.role_id, a.provider_id, ...a.capabilities].join('\n').toLowerCase();

export function agents(app, parameters) {
  // The list as it was read: kept while the visitor looks at an agent, and comes back.
  const filters = () => query({ ...Object.fromEntries(FILTERS.map(name => [name, parameters.get(name)])),
    status: parameters.get('status') || (parameters.get('verdict') === 'gone' ? '' : PRESENT),
    // Agents that are gone are shown to those who ask for them.
    verdict: parameters.get('verdict') || (parameters.get('status') ? '' : VERDICTS.join()), limit: String(PAGE) });
  let list = app.list?.filters === filters() ? app.list : { filters: filters(), all: [], readAt: 0, changes: 0, top: 0 };
  // All agents of the list in the order of the column, and those of them that are shown.
  let sorted = [];
  let shown = [];
  let suggested = {};
  let error;
  let reading = false;
  let rowHeight = window.innerWidth > NARROW ? ROW : BLOCK;
  let first = Math.floor(list.top / rowHeight);
  let placed = false;
  // The agent whose row has the keyboard: rows are reused for others, so it is looked up again after each change.
  let focused = '';
  // Where the table begins in the document.
  let tableTop = 0;
  let open = false;
  const selected = new Set();
  let done = '';
  const day = trends(() => app.show());
  const sort = () => parameters.get('sort') || 'verdict';
  const down = () => parameters.get('order') === 'down';

  const load = async () => {
    if (reading) return;
    reading = true;
    const mine = list;
    const found = [];
    try {
      await eachPage('/api/v1/agents' + mine.filters, 'agents', page => {
        found.push(...page);
        if (!mine.readAt && found.length === page.length) {
          mine.all = found;
          arrange();
        } else if (!mine.readAt) {
          app.show();
        }
        return found.length < MAX_AGENTS && mine === list;
      });
      if (mine === list) {
        Object.assign(list, { all: found, readAt: Date.now(), changes: 0 });
        app.list = list;
        suggest();
        error = null;
      }
    } catch (e) {
      error = e;
    }
    reading = false;
    if (mine === list) arrange();
    else load();
  };

  const suggest = () => {
    const distinct = values => [...new Set(values)].filter(Boolean).sort().slice(0, MAX_SUGGESTED);
    suggested = { role_id: distinct(list.all.map(a => a.role_id)), provider_id: distinct(list.all.map(a => a.provider_id)),
      capabilities: distinct(list.all.flatMap(a => a.capabilities)) };
  };

  const arrange = () => {
    const value = COLUMNS[sort()]?.value || COLUMNS.verdict.value;
    const sign = down() ? -1 : 1;
    const keyed = list.all.map(a => [value(a) ?? '', a]);
    // An agent without a value comes last in both directions.
    keyed.sort(([x, a], [y, b]) => (x === '') - (y === '') || (x < y ? -sign : x > y ? sign : a.agent_id < b.agent_id ? -1 : 1));
    sorted = keyed.map(pair => pair[1]);
    filter();
  };

  const filter = () => {
    const text = (parameters.get('q') || '').toLowerCase();
    const provider = parameters.get('provider_id') || '';
    const state = STATES[parameters.get('state')];
    shown = sorted.filter(a => (!provider || a.provider_id === provider) && (!state || state(a))
      && (!text || (a.text ??= searched(a)).includes(text)));
    for (const id of selected) if (!shown.some(a => a.agent_id === id)) selected.delete(id);
    app.show();
  };

  const change = (name, value) => {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
    history.replaceState(null, '', '#/agents' + (parameters.size ? '?' + parameters : ''));
    first = 0;
    list.top = 0;
    placed = false;
    if (list.filters === filters()) {
      (name === 'order' ? arrange : filter)();
    } else {
      list = { filters: filters(), all: [], readAt: 0, changes: 0, top: 0 };
      load();
    }
  };

  const sortBy = column => {
    const turned = sort() === column && !down();
    parameters.set('sort', column);
    change('order', turned ? 'down' : '');
  };

  const scrolled = () => {
    if (!placed) return;
    list.top = window.scrollY;
    const at = Math.max(0, Math.floor((list.top - tableTop) / rowHeight));
    if (Math.abs(at - first) >= MARGIN / 2 || (at === 0 && first)) {
      first = at;
      app.show();
    }
  };

  const choice = (name, label, values, none = 'all') => html`<label>${label}
    <select @change=${e => change(name, e.target.value)}>
      <option value="" ?selected=${!parameters.get(name)}>${none}</option>
      ${values.map(value => html`<option value=${value} ?selected=${parameters.get(name) === value}>${words(value)}</option>`)}
    </select></label>`;

  const field = (name, label) => html`<label>${label}
    <input type="search" .value=${parameters.get(name) || ''} autocomplete="off" placeholder="all" list=${`known-${name}`}
      @change=${e => change(name, e.target.value.trim())}>
    <datalist id=${`known-${name}`}>${(suggested[name] || []).map(value => html`<option value=${value}></option>`)}</datalist></label>`;

  const cell = (a, name) => html`<td class=${`c-${name.replace('_id', '')}${COLUMNS[name].figure ? ' figure' : ''}`} title=${COLUMNS[name].hint?.(a) ?? nothing}>${COLUMNS[name].shown(a)}</td>`;
  const row = (a, index, names) => html`<tr aria-rowindex=${index + 2} data-agent=${a.agent_id}>
    ${bulk() ? html`<td class="c-check"><input type="checkbox" aria-label=${`Select ${a.agent_id}`} .checked=${selected.has(a.agent_id)} @change=${e => select([a], e.target.checked)}></td>` : nothing}
    <th scope="row" title=${a.name ? `${a.agent_id}, ${a.name}` : a.agent_id}><a href=${`#/agents/${encodeURIComponent(a.agent_id)}`}><bdi>${a.agent_id}</bdi></a>
      ${a.kind === 'mcp_server' ? badge(a.kind, 'MCP') : nothing}${a.name && a.name.toLowerCase() !== a.agent_id.replaceAll(/[-_.]/g, ' ').toLowerCase() ? html`<span class="why"><bdi>${a.name}</bdi></span>` : nothing}</th>
    ${names.slice(1).map(name => cell(a, name))}</tr>`;

  const bulk = () => app.may.change;
  const select = (agents, on) => {
    for (const a of agents) {
      if (on) selected.add(a.agent_id);
      else selected.delete(a.agent_id);
    }
    app.show();
  };
  const act = async action => {
    const said = await action([...selected]);
    if (!said) return;
    done = said;
    selected.clear();
    load();
  };
  const selection = () => !selected.size ? nothing : html`<div class="selected" role="group" aria-label="Selected agents"><strong>${number(selected.size)} selected</strong>
    <button type="button" @click=${() => act(actions.drainAll)}>Drain</button>
    <button type="button" @click=${() => act(ids => actions.silenceAll(app, ids))}>Silence</button>
    ${app.may.administer ? html`<button type="button" class="danger" @click=${() => act(actions.blockAll)}>Block</button>` : nothing}
    <button type="button" class="danger" @click=${() => act(actions.deleteAll)}>Delete</button>
    <button type="button" class="link" @click=${() => { selected.clear(); app.show(); }}>Clear</button></div>`;

  const download = () => save('agents.csv', 'text/csv', csv([['agent_id', 'name', 'kind', 'verdict', 'reasons', 'status', 'role_id', 'provider_id', 'score', 'current_load', 'max_concurrent_tasks', 'last_heartbeat_at'],
    ...shown.map(a => [a.agent_id, a.name, a.kind, a.verdict, a.reasons.join(' '), a.status, a.role_id, a.provider_id, a.score, a.capacity?.current_load, a.capacity?.max_concurrent_tasks, a.last_heartbeat_at])]));

  const chooser = () => {
    const names = chosenColumns();
    const choose = (name, on) => {
      localStorage.setItem('agent-columns', JSON.stringify(on ? [...names, name] : names.filter(one => one !== name)));
      app.show();
    };
    return menu('Columns', Object.entries(COLUMNS).slice(1).map(([name, { title }]) => html`<label><input type="checkbox" .checked=${names.includes(name)}
      @change=${e => choose(name, e.target.checked)}> ${title}</label>`), 'Columns');
  };
  const narrowed = () => [...FILTERS, 'state', 'provider_id'].filter(name => parameters.get(name)).length;

  const spacer = rows => rows > 0 ? html`<tr class="spacer" aria-hidden="true"><td height=${rows * rowHeight}></td></tr>` : nothing;

  const counted = () => {
    if (!list.readAt) return error ? '' : `Reading: ${number(list.all.length)} …`;
    return `${number(shown.length)} of ${many(list.all.length, 'agent')}${list.all.length >= MAX_AGENTS ? '. Not all were read: filter by role or verdict.' : ''}`;
  };

  const view = () => {
    focused = document.activeElement?.closest('tr')?.dataset.agent || '';
    rowHeight = window.innerWidth > NARROW ? ROW : BLOCK;
    const visible = Math.ceil(window.innerHeight / rowHeight) + MARGIN;
    const from = Math.max(0, Math.min(first - MARGIN, shown.length - visible));
    const to = Math.min(shown.length, first + visible);
    const names = chosenColumns(shown);
    const head = name => html`<th scope="col" class=${`c-${name.replace('_id', '')}${COLUMNS[name].figure ? ' figure' : ''}`}
      aria-sort=${sort() === name ? (down() ? 'descending' : 'ascending') : 'none'}>${COLUMNS[name].value
      ? html`<button type="button" @click=${() => sortBy(name)}>${COLUMNS[name].title}</button>` : COLUMNS[name].title}</th>`;
    if (names.includes('day') || names.includes('latency')) day.ask(window.innerWidth > NARROW ? shown.slice(first, first + visible - MARGIN).map(a => a.agent_id) : []);
    return html`<h1>Agents</h1>
      ${app.may.list ? nothing : html`<p class="note">This key belongs to agents and shows those that it owns. A key with the role viewer shows the whole fleet.</p>`}
      <form class=${`filters${open ? ' open' : ''}`} role="search" @submit=${e => e.preventDefault()}>
        <label class="search">Search <input type="search" .value=${parameters.get('q') || ''} placeholder="id, name, role, capability" autocomplete="off" title="Key /"
          @input=${e => change('q', e.target.value.trim())}></label>
        <button type="button" class="drawer" aria-expanded=${open} @click=${() => { open = !open; app.show(); }}>Filters${narrowed() ? ` (${narrowed()})` : ''}</button>
        ${choice('verdict', 'Verdict', [...VERDICTS, 'gone'])}${choice('status', 'Status', STATUSES, 'all present')}${choice('state', 'Score', Object.keys(STATES))}
        ${choice('kind', 'Kind', ['agent', 'mcp_server'])}${choice('declaration', 'Declaration', ['changed'])}
        ${field('role_id', 'Role')}${field('capabilities', 'Capability')}${field('provider_id', 'Provider')}
      </form>
      ${failure(error)}
      <div class="line"><p class="note"><span role="status">${done ? `${done} ` : ''}${counted()}</span>${list.readAt ? html`, read ${moment(new Date(list.readAt).toISOString())}${
        list.changes ? html`; ${many(list.changes, 'change')} since` : nothing}. <button type="button" class="link" @click=${load} ?disabled=${reading}>Read again</button>` : nothing}</p>
        ${shown.length ? html`<div class="end line"><button type="button" @click=${download}>CSV</button>${chooser()}</div>` : nothing}</div>
      ${selection()}${names.includes('day') && shown.length && window.innerWidth > NARROW ? html`<div class="line"><span class="note">last 24 hours:</span>${legend(DAY, 'is-')}</div>` : nothing}
      ${!shown.length && list.readAt ? empty(list.all.length || [...parameters.keys()].some(name => name !== 'sort' && name !== 'order')
        ? 'No agent matches.' : 'No agent is registered.') : html`
      <div class="list"><table class="virtual" aria-label="Agents" aria-rowcount=${shown.length + 1}>
          <thead><tr aria-rowindex="1">${bulk() ? html`<th class="c-check"><input type="checkbox" aria-label="Select all that are listed" .checked=${shown.length > 0 && selected.size === shown.length}
            @change=${e => select(shown, e.target.checked)}></th>` : nothing}${names.map(head)}</tr></thead>
          <tbody>${spacer(from)}${shown.slice(from, to).map((a, i) => row(a, from + i, names))}${spacer(shown.length - to)}</tbody>
        </table></div>`}`;
  };

  const drawn = root => {
    const box = root.querySelector('.virtual');
    if (focused && document.activeElement?.closest('tr')?.dataset.agent !== focused) {
      (root.querySelector(`tr[data-agent="${CSS.escape(focused)}"] a`) || root.querySelector('main'))?.focus({ preventScroll: true });
    }
    if (box) tableTop = box.getBoundingClientRect().top + window.scrollY;
    // Once, when the rows are there: the place where the list was left, or its beginning.
    if (placed || !box || !shown.length) return;
    placed = true;
    window.scrollTo(0, list.top);
  };

  const refresh = changed => {
    list.changes += changed?.length || 0;
    if (Date.now() - list.readAt >= MILLIS_PER_PAGE * Math.max(0, Math.ceil(list.all.length / PAGE) - 1)) load();
  };

  if (list.readAt) {
    suggest();
    queueMicrotask(() => {
      arrange();
      refresh();
    });
  } else {
    load();
  }
  return { title: 'Agents', view, shown: drawn, refresh, scrolled };
}
