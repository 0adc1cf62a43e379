// Versions: the executions of each version of a role, compared with the version before.
import { html, nothing } from './lit-html.js';
import { get } from './api.js';
import { millis, number, share, words } from './format.js';
import { badge, columns, empty, loaded, moment } from './parts.js';

const COLUMNS = [{ head: 'version', cell: one => html`<bdi>${one.agent_version}</bdi>` },
  { head: 'state', cell: one => one.worse_since ? badge('degraded', 'worse') : '' },
  { head: 'executions', cell: one => number(one.executions), figure: true },
  { head: 'success', cell: one => share(one.success_rate), figure: true },
  { head: '95 % interval', cell: one => `${share(one.success_interval.low)} to ${share(one.success_interval.high)}`, figure: true },
  { head: 'median', cell: one => millis(one.latency_p50_ms), figure: true },
  { head: 'p99', cell: one => millis(one.latency_p99_ms), figure: true },
  { head: 'tokens', cell: one => number(one.tokens_per_execution), figure: true },
  { head: 'score', cell: one => number(one.score), figure: true },
  { head: 'worse than', cell: one => one.findings.length ? html`<bdi>${one.compared_with}</bdi>: ${one.findings.map(words).join(', ')}` : '' },
  { head: 'last execution', cell: one => moment(one.last_seen) }];

export function versions(app, role) {
  let found;
  let error;
  const load = async () => {
    try {
      found = (await get(`/api/v1/pools/${encodeURIComponent(role)}/versions`)).versions;
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  const title = 'Versions of the last 7 days';
  const view = () => html`<section>${found?.length ? nothing : html`<h2>${title}</h2>`}
    ${loaded(found, error, load, list => !list.length ? empty('No agent of this role named its version with an execution.') : columns(title, COLUMNS, list))}</section>`;
  return { load, view };
}
