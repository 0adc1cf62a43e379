// The audit log: who changed what.
import { html, nothing } from './lit-html.js';
import { get, query } from './api.js';
import { agentLink, badge, columns, empty, loaded, moment, shortId, told } from './parts.js';
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

const SHOWN_FIELDS = 3;

/** The fields that changed, one a line: the first of many, and the others when they are asked for. */
function changed(entry) {
  const fields = fieldsOf(entry);
  return fields.length <= SHOWN_FIELDS + 1 ? fields : html`${fields.slice(0, SHOWN_FIELDS)}<details><summary>${fields.length - SHOWN_FIELDS} more</summary>${fields.slice(SHOWN_FIELDS)}</details>`;
}

const fieldsOf = ({ before, after }) => [...new Set([...Object.keys(before), ...Object.keys(after)])].map(field => html`<div><code>${field}</code>
  ${field in before ? html`${told(text(before[field]))} → ` : ''}${field in after ? told(text(after[field])) : 'removed'}</div>`);

export const auditTable = (entries, names, caption, withObject = true) => columns(caption, [{ head: 'when', cell: entry => moment(entry.at) },
  { head: 'who', cell: entry => html`<span title=${entry.author.id}>${entry.author.name || names[entry.author.id] || shortId(entry.author.id)}</span>` },
  { head: 'action', cell: entry => entry.outcome ? badge('degraded', entry.action) : entry.action },
  ...withObject ? [{ head: 'object', cell: entry => entry.agent_id ? agentLink(entry.agent_id) : html`${entry.object.type} ${shortId(entry.object.id)}` }] : [],
  { head: 'from', cell: entry => entry.address }, { head: 'changed', cell: changed }], entries);

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
