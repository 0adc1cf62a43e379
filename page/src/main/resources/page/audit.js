// The audit log: who changed what.
import { html, nothing } from './lit-html.js';
import { get, query } from './api.js';
import { clock } from './format.js';
import { agentLink, badge, empty, loaded, table } from './parts.js';
import { administration } from './administration.js';
import { keyNames } from './keys.js';

const PAGE = 100;
/** A page may be empty although more follow. */
const MAX_READ = 10;

/** Up to a page of entries, and where the next begins. */
export async function readAudit(filters, limit = PAGE) {
  const entries = [];
  let next = filters.next_token || '';
  for (let read = 0; read < MAX_READ && entries.length < limit; read++) {
    const answer = await get('/v1/admin/audit' + query({ ...filters, limit: String(limit - entries.length), next_token: next }));
    entries.push(...answer.entries);
    next = answer.next_token || '';
    if (!next) break;
  }
  return { entries, next };
}

const text = value => typeof value === 'string' ? value : JSON.stringify(value);

/** The fields that changed, one a line. */
const changed = ({ before, after }) => [...new Set([...Object.keys(before), ...Object.keys(after)])].map(field => html`<div><code>${field}</code>
  ${field in before ? text(before[field]) : '–'} → ${field in after ? text(after[field]) : '–'}</div>`);

export const auditTable = (entries, names, caption, withObject = true) => table(caption, ['when', 'who', 'action', ...withObject ? ['object'] : [], 'from', 'changed'], entries.map(entry => html`<tr>
  <th scope="row">${clock(entry.at)}</th><td title=${entry.author.id}>${entry.author.name || names[entry.author.id] || entry.author.id}</td><td>${entry.outcome ? badge('degraded', entry.action) : entry.action}</td>
  ${withObject ? html`<td>${entry.agent_id ? agentLink(entry.agent_id) : `${entry.object.type} ${entry.object.id}`}</td>` : nothing}
  <td>${entry.address || '–'}</td><td>${changed(entry)}</td></tr>`));

export function audit(app, parameters) {
  const filters = { author: parameters.get('author') || '', agent_id: parameters.get('agent_id') || '' };
  let entries;
  let next = '';
  let names = {};
  let error;
  const read = async token => {
    const page = await readAudit({ ...filters, next_token: token });
    next = page.next;
    return page.entries;
  };
  const attempt = async work => {
    try {
      await work();
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  const load = () => attempt(async () => { [entries, names] = await Promise.all([read(''), keyNames()]); });
  const more = () => attempt(async () => { entries = entries.concat(await read(next)); });
  load();

  const view = () => html`<h1>Audit</h1>${administration('audit')}
    ${loaded(entries, error, load, found => !found.length ? empty('Nothing was changed in the last 7 days.')
      : html`<section>${auditTable(found, names, 'Changes of the last 7 days, the newest first')}
        ${next ? html`<button type="button" @click=${more}>Show more</button>` : nothing}</section>`)}`;
  return { title: 'Audit', view, refresh: () => { if (!entries || entries.length <= PAGE) load(); } };
}
