// The agents that wait for a person, the longest wait first.
import { html } from './lit-html.js';
import { all, get, optional } from './api.js';
import { agentLink, columns, empty, loaded, moment } from './parts.js';

// For so many agents, what each waits for is read from its record.
const RECORDS = 20;

export function waiting(app) {
  let list;
  let error;
  const load = async () => {
    try {
      const found = await all('/api/v1/agents?waiting=true&status=active,draining,unhealthy&limit=1000', 'agents');
      found.sort((a, b) => a.waiting_since < b.waiting_since ? -1 : 1);
      const records = await Promise.all(found.slice(0, RECORDS).map(({ agent_id: id }) => optional(get(`/api/v1/agents/${encodeURIComponent(id)}`))));
      list = found.map((agent, i) => ({ ...agent, waiting_for: records[i]?.waiting_for }));
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();
  const view = () => html`<h1>Waiting for people</h1>
    ${loaded(list, error, load, found => !found.length ? empty('No agent waits for a person.')
      : html`<section>${columns('The longest wait first', [{ head: 'agent', cell: agent => agentLink(agent.agent_id) }, { head: 'role', cell: agent => agent.role_id },
        { head: 'since', cell: agent => moment(agent.waiting_since) }, { head: 'for', cell: agent => agent.waiting_for }], found)}</section>`)}`;
  return { title: 'Waiting for people', view, refresh: load };
}
