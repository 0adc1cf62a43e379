// The list of agents: searched, filtered and sorted here, with only the visible rows in the document.
import { html, nothing } from './lit-html.js';
import { eachPage, query } from './api.js';
import { STATUSES, VERDICTS, ago, number, words } from './format.js';
import { badge, empty, failure } from './parts.js';

const ROW = 40;
const MAX_AGENTS = 50_000;
const MARGIN = 8;

// Filters that the API applies; the text is searched here.
const FILTERS = ['role_id', 'status', 'verdict', 'capabilities'];
// Unless a status is chosen, all agents but those that left.
const PRESENT = 'active,draining,unhealthy,dead';

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
const VERDICT_RANK = { ok: 0, unknown: 1, degraded: 2, down: 3, blocked: 4 };

export function agents(app, parameters) {
  let all = [];
  let shown = [];
  let error;
  let reading = false;
  let loaded = false;
  let first = 0;
  const text = () => (parameters.get('q') || '').toLowerCase();
  const sort = () => parameters.get('sort') || 'verdict';
  const down = () => parameters.get('order') === 'down';

  const load = async () => {
    if (reading) return;
    reading = true;
    const found = [];
    try {
      const filters = Object.fromEntries(FILTERS.map(name => [name, parameters.get(name)]));
      await eachPage('/api/v1/agents' + query({ ...filters, status: filters.status || PRESENT, limit: '1000' }), 'agents', page => {
        found.push(...page);
        if (!loaded) {
          all = found;
          arrange();
        }
        return found.length < MAX_AGENTS;
      });
      all = found;
      loaded = true;
      error = null;
    } catch (e) {
      error = e;
    }
    reading = false;
    arrange();
  };

  const arrange = () => {
    const wanted = text();
    const provider = parameters.get('provider_id') || '';
    shown = all.filter(a => (!provider || a.provider_id === provider) && (!wanted || [a.agent_id, a.name, a.role_id, a.provider_id]
      .some(value => value && value.toLowerCase().includes(wanted)) || a.capabilities.some(c => c.toLowerCase().includes(wanted))));
    const value = (COLUMNS[sort()] || COLUMNS.verdict).value;
    const sign = down() ? -1 : 1;
    const keyed = shown.map(a => [value(a), a]);
    keyed.sort(([x, a], [y, b]) => x < y ? -sign : x > y ? sign : a.agent_id < b.agent_id ? -1 : 1);
    shown = keyed.map(pair => pair[1]);
    app.show();
  };

  const change = (name, value) => {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
    history.replaceState(null, '', '#/agents' + (parameters.size ? '?' + parameters : ''));
    first = 0;
    if (FILTERS.includes(name)) {
      loaded = false;
      load();
    } else {
      arrange();
    }
  };

  const sortBy = column => {
    const turned = sort() === column && !down();
    parameters.set('sort', column);
    change('order', turned ? 'down' : '');
  };

  const scrolled = event => {
    const at = Math.floor(event.target.scrollTop / ROW);
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

  const field = (name, label, placeholder, live) => html`<label>${label}
    <input type="search" .value=${parameters.get(name) || ''} placeholder=${placeholder} autocomplete="off"
      @change=${e => live ? nothing : change(name, e.target.value.trim())} @input=${e => live ? change(name, e.target.value.trim()) : nothing}></label>`;

  const loadOf = a => a.capacity ? `${number(a.capacity.current_load)} / ${number(a.capacity.max_concurrent_tasks)}` : '–';

  const row = (a, index) => html`<tr aria-rowindex=${index + 2}>
    <th scope="row"><a href=${`#/agents/${encodeURIComponent(a.agent_id)}`}>${a.agent_id}</a></th>
    <td>${badge(a.verdict)}<span class="why">${a.reasons.slice(0, 2).map(words).join(', ')}</span></td>
    <td>${words(a.status)}</td><td>${a.role_id || '–'}</td><td>${a.provider_id || '–'}</td>
    <td class="figure">${number(a.score)}</td><td class="figure">${loadOf(a)}</td><td>${ago(a.last_heartbeat_at)}</td></tr>`;

  const spacer = rows => rows > 0 ? html`<tr class="spacer" aria-hidden="true"><td colspan=${Object.keys(COLUMNS).length} height=${rows * ROW}></td></tr>` : nothing;

  const view = () => {
    const visible = Math.ceil(window.innerHeight / ROW) + MARGIN;
    const from = Math.max(0, Math.min(first - MARGIN, shown.length - visible));
    const to = Math.min(shown.length, first + visible);
    return html`<h1>Agents</h1>
      <form class="filters" role="search" @submit=${e => e.preventDefault()}>
        ${field('q', 'Search', 'id, name, role, capability', true)}
        ${choice('verdict', 'Verdict', VERDICTS)}${choice('status', 'Status', STATUSES, 'all present')}
        ${field('role_id', 'Role', 'exact')}${field('capabilities', 'Capability', 'exact')}${field('provider_id', 'Provider', 'exact', true)}
      </form>
      ${failure(error)}
      <p class="note" role="status">${reading ? `Reading: ${number(all.length)} …` : `${number(shown.length)} of ${number(all.length)} agents`}
        ${all.length >= MAX_AGENTS ? '. Not all were read: filter by role or verdict.' : ''}</p>
      ${!shown.length && loaded ? empty('No agent matches.') : html`
      <div class="scroll virtual" tabindex="0" role="region" aria-label="Agents" @scroll=${scrolled}>
        <table aria-rowcount=${shown.length + 1}>
          <thead><tr>${Object.entries(COLUMNS).map(([name, column]) => html`<th scope="col"
            aria-sort=${sort() === name ? (down() ? 'descending' : 'ascending') : 'none'}>
            <button type="button" @click=${() => sortBy(name)}>${column.title}</button></th>`)}</tr></thead>
          <tbody>${spacer(from)}${shown.slice(from, to).map((a, i) => row(a, from + i))}${spacer(shown.length - to)}</tbody>
        </table></div>`}`;
  };

  load();
  return { title: 'Agents', view, refresh: load };
}
