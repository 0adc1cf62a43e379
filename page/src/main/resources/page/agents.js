// The list of agents: searched, filtered and sorted here, with only the visible rows in the document.
import { html, nothing } from './lit-html.js';
import { eachPage, query } from './api.js';
import { STATUSES, VERDICTS, number, seenBy, whys, words } from './format.js';
import { badge, empty, failure, moment } from './parts.js';

const ROW = 40;
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
const COLUMNS = {
  agent_id: { title: 'agent', value: a => a.agent_id },
  verdict: { title: 'verdict', value: a => -VERDICT_RANK[a.verdict] },
  status: { title: 'status', value: a => a.status },
  role_id: { title: 'role', value: a => a.role_id || '' },
  provider_id: { title: 'provider', value: a => a.provider_id || '' },
  score: { title: 'score', value: a => a.score ?? -1 },
  load: { title: 'load', value: a => a.capacity?.current_load ?? -1 },
  heartbeat: { title: 'heartbeat', value: a => -Date.parse(a.last_heartbeat_at || 0) },
};

const STATES = {
  Healthy: a => a.score >= 85,
  Degraded: a => a.score !== null && a.score >= 65 && a.score < 85,
  Unhealthy: a => a.score !== null && a.score < 65,
  Inactive: a => a.score === null,
};

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
  let first = Math.floor(list.top / ROW);
  let placed = false;
  // The agent whose row has the keyboard: rows are reused for others, so it is looked up again after each change.
  let focused = '';
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
    const value = (COLUMNS[sort()] || COLUMNS.verdict).value;
    const sign = down() ? -1 : 1;
    const keyed = list.all.map(a => [value(a), a]);
    keyed.sort(([x, a], [y, b]) => x < y ? -sign : x > y ? sign : a.agent_id < b.agent_id ? -1 : 1);
    sorted = keyed.map(pair => pair[1]);
    filter();
  };

  const filter = () => {
    const text = (parameters.get('q') || '').toLowerCase();
    const provider = parameters.get('provider_id') || '';
    const state = STATES[parameters.get('state')];
    shown = sorted.filter(a => (!provider || a.provider_id === provider) && (!state || state(a))
      && (!text || (a.text ??= searched(a)).includes(text)));
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

  const scrolled = event => {
    list.top = event.target.scrollTop;
    const at = Math.floor(list.top / ROW);
    if (Math.abs(at - first) >= MARGIN / 2 || at === 0) {
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

  const loadOf = a => a.capacity ? `${number(a.capacity.current_load)} / ${number(a.capacity.max_concurrent_tasks)}` : '–';

  const row = (a, index) => html`<tr aria-rowindex=${index + 2} data-agent=${a.agent_id}>
    <th scope="row" title=${a.name ? `${a.agent_id}, ${a.name}` : a.agent_id}><a href=${`#/agents/${encodeURIComponent(a.agent_id)}`}><bdi>${a.agent_id}</bdi></a>
      ${a.kind === 'mcp_server' ? badge(a.kind, 'MCP') : nothing}${a.name ? html`<span class="why"><bdi>${a.name}</bdi></span>` : nothing}</th>
    <td title=${whys(a)}>${badge(a.verdict)}<span class="why">${whys(a)}</span></td>
    <td>${words(a.status)}</td><td title=${a.role_id || ''}><bdi>${a.role_id || '–'}</bdi></td><td title=${a.provider_id || ''}><bdi>${a.provider_id || '–'}</bdi></td>
    <td class="figure">${number(a.score)}</td><td class="figure">${loadOf(a)}</td><td title=${seenBy(a).trim()}>${moment(a.last_heartbeat_at)}</td></tr>`;

  const spacer = rows => rows > 0 ? html`<tr class="spacer" aria-hidden="true"><td height=${rows * ROW}></td></tr>` : nothing;

  const counted = () => {
    if (!list.readAt) return error ? '' : `Reading: ${number(list.all.length)} …`;
    return `${number(shown.length)} of ${number(list.all.length)} agents${list.all.length >= MAX_AGENTS ? '. Not all were read: filter by role or verdict.' : ''}`;
  };

  const view = () => {
    focused = document.activeElement?.closest('tr')?.dataset.agent || '';
    const visible = Math.ceil(window.innerHeight / ROW) + MARGIN;
    const from = Math.max(0, Math.min(first - MARGIN, shown.length - visible));
    const to = Math.min(shown.length, first + visible);
    return html`<h1>Agents</h1>
      ${app.may.list ? nothing : html`<p class="note">This key belongs to agents and shows those that it owns. A key with the role viewer shows the whole fleet.</p>`}
      <form class="filters" role="search" @submit=${e => e.preventDefault()}>
        <label class="search">Search <small>(key /)</small> <input type="search" .value=${parameters.get('q') || ''} placeholder="id, name, role, capability" autocomplete="off"
          @input=${e => change('q', e.target.value.trim())}></label>
        ${choice('verdict', 'Verdict', [...VERDICTS, 'gone'])}${choice('status', 'Status', STATUSES, 'all present')}${choice('state', 'Score', Object.keys(STATES))}
        ${choice('kind', 'Kind', ['agent', 'mcp_server'])}${choice('declaration', 'Declaration', ['changed'])}
        ${field('role_id', 'Role')}${field('capabilities', 'Capability')}${field('provider_id', 'Provider')}
      </form>
      ${failure(error)}
      <p class="note"><span role="status">${counted()}</span>${list.readAt ? html`, read ${moment(new Date(list.readAt).toISOString())}${
        list.changes ? html`; ${number(list.changes)} changes since` : nothing}. <button type="button" class="link" @click=${load} ?disabled=${reading}>Read again</button>` : nothing}</p>
      ${!shown.length && list.readAt ? empty(list.all.length || [...parameters.keys()].some(name => name !== 'sort' && name !== 'order')
        ? 'No agent matches.' : 'No agent is registered.') : html`
      <div class="scroll virtual" tabindex="0" role="region" aria-label="Agents" @scroll=${scrolled}>
        <table aria-rowcount=${shown.length + 1}>
          <thead><tr aria-rowindex="1">${Object.entries(COLUMNS).map(([name, column]) => html`<th scope="col"
            aria-sort=${sort() === name ? (down() ? 'descending' : 'ascending') : 'none'}>
            <button type="button" @click=${() => sortBy(name)}>${column.title}</button></th>`)}</tr></thead>
          <tbody>${spacer(from)}${shown.slice(from, to).map((a, i) => row(a, from + i))}${spacer(shown.length - to)}</tbody>
        </table></div>`}`;
  };

  const drawn = root => {
    const box = root.querySelector('.virtual');
    if (focused && document.activeElement?.closest('tr')?.dataset.agent !== focused) {
      (root.querySelector(`tr[data-agent="${CSS.escape(focused)}"] a`) || box)?.focus({ preventScroll: true });
    }
    // Once, when the rows are there: the place where the list was left, or its beginning.
    if (placed || !box || !shown.length) return;
    placed = true;
    box.scrollTop = list.top;
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
  return { title: 'Agents', view, shown: drawn, refresh };
}
