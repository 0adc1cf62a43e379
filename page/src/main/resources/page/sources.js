// Sources: catalogues, cards and registries whose entries are agents, and what their last syncs did.
import { html, nothing } from './lit-html.js';
import { all, send } from './api.js';
import { SIGNATURES, counted, number } from './format.js';
import { administration } from './administration.js';
import { filtered } from './filters.js';
import { agentLink, badge, empty, loaded, moment, thing, things } from './parts.js';

// A sync of a large source takes minutes on one machine.
const SYNC_MILLIS = 300_000;

export function sources(app, parameters) {
  let list;
  let error;
  let running = '';
  // The answer to the last sync of this view.
  let result;

  const load = async () => {
    try {
      list = await all('/v1/admin/sources?limit=100', 'sources');
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const sync = async (name, dryRun) => {
    running = name;
    result = null;
    app.show();
    let refused;
    try {
      result = await send('POST', `/v1/admin/sources/${encodeURIComponent(name)}/sync${dryRun ? '?dry_run=true' : ''}`, null, {}, SYNC_MILLIS);
    } catch (e) {
      refused = e;
    }
    running = '';
    await load();
    error ||= refused;
    app.show();
  };

  const stateOf = sync => !sync ? ['unknown', 'not read yet'] : !sync.complete ? ['down', 'not complete'] : isFine(sync) ? ['ok', 'in step'] : ['degraded', 'with conflicts or errors'];
  const state = sync => badge(...stateOf(sync));
  const row = ({ name, url, last_sync: last }) => thing({
    name,
    state: state(last),
    lines: [html`<bdi>${url}</bdi>`, last && Object.values(last.counts).some(Boolean) ? counted(last.counts) : ''],
    age: last ? html`read ${moment(last.at)}` : nothing,
    look: !last || isFine(last) && last.complete ? '' : last.complete ? 'warning' : 'error',
    actions: html`<button type="button" ?disabled=${running} aria-label=${`Sync now: ${name}`} @click=${() => sync(name, false)}>Sync now</button>
      <button type="button" ?disabled=${running} aria-label=${`Dry run: ${name}`} @click=${() => sync(name, true)}>Dry run</button>`,
  });

  const problems = last => html`${last.conflicts.map(c => html`<li class="warn"><span>${badge('degraded', 'conflict')} ${agentLink(c.agent_id)}
      ${c.identifier}: ${c.reason}</span></li>`)}${last.refused?.map(r => html`<li class="warn"><span>${badge('degraded', 'refused')} ${agentLink(r.agent_id)}
      ${r.identifier}: its card is ${SIGNATURES[r.signature]}${r.registered ? '; the agent stays as it is' : ''}</span></li>`)}${last.errors.map(e => html`<li class="bad"><span>${badge('down', 'error')} ${e}</span></li>`)}`;
  const isFine = sync => !sync.conflicts.length && !sync.errors.length && !sync.refused?.length;
  const problemsOf = ({ name, last_sync: last }) => !last || isFine(last) ? nothing
    : html`<section><h2>${name}</h2><ul class="events">${problems(last)}</ul></section>`;

  const skipped = sync => sync.skipped?.length ? html`<details><summary>${number(sync.counts.skipped)} skipped</summary><ul class="events">${
    sync.skipped.map(s => html`<li><span>${s.identifier || 'an entry'}: ${s.reason}</span></li>`)}</ul></details>` : nothing;
  const outcome = () => html`<section role="status"><h2>${result.dry_run ? `Dry run of ${result.name}: nothing was changed` : `Sync of ${result.name}`}</h2>
    <p>${counted(result.counts)}</p><ul class="events">${result.changes.filter(c => c.action !== 'refused').map(c => html`<li><span>${badge(c.action)} ${agentLink(c.agent_id)} ${c.identifier}</span></li>`)}
      ${result.dry_run ? problems(result) : nothing}</ul>${skipped(result)}</section>`;

  const filter = filtered(app, 'sources', parameters, ({ name, url }) => [name, url], [{ name: 'state', label: 'State', of: ({ last_sync: last }) => stateOf(last)[1] }]);

  const view = () => html`<h1>Sources</h1>${administration('sources')}
    ${running ? html`<p class="note" role="status">Reading ${running} …</p>` : nothing}${result ? outcome() : nothing}
    ${loaded(list, error, load, found => !found.length ? empty('There are no sources. The command import adds one.')
      : filter(found, some => html`${things('Read every hour', some.map(row))}${some.map(problemsOf)}`))}`;
  return { title: 'Sources', view, refresh: load };
}
