// Who calls whom through the gateway: a small graph, and a table with all numbers.
import { html, nothing, svg } from './lit-html.js';
import { get, query } from './api.js';
import { number, share } from './format.js';
import { agentLink, columns, empty, fold, loaded, shortId } from './parts.js';

const HOURS = 24;
// The graph shows the pairs with the most calls; the table shows all.
const MAX_LINES = 14;
const MAX_LETTERS = 22;
const ROW = 26;
const WIDTH = 460;
const LEFT = 165;
const FAILING = 0.05;

const called = ({ caller }) => caller.agent_id || caller.name || caller.key_id;
const cut = text => text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS - 1)}…` : text;
const said = pair => `${called(pair)} calls ${pair.agent_id}: ${number(pair.calls)}, ${number(pair.failures)} failed`;

/** Callers at the left, called agents at the right, and a line for each pair: the wider, the more calls. */
function graph(pairs) {
  const shown = pairs.slice(0, MAX_LINES);
  const callers = [...new Set(shown.map(called))];
  const agents = [...new Set(shown.map(pair => pair.agent_id))];
  const most = Math.max(...shown.map(pair => pair.calls));
  const y = index => ROW * (index + .5);
  const name = (text, index, x, anchor) => svg`<text x=${x} y=${y(index) + 4} text-anchor=${anchor}>${cut(text)}<title>${text}</title></text>`;
  return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${ROW * Math.max(callers.length, agents.length)}" role="img" aria-label=${`Who calls whom: ${shown.map(said).join('; ')}`}>
    ${shown.map(pair => {
      const from = y(callers.indexOf(called(pair)));
      const to = y(agents.indexOf(pair.agent_id));
      const middle = WIDTH / 2;
      return svg`<path class=${pair.failure_rate > FAILING ? 'failing' : ''} stroke-width=${1 + 5 * Math.log1p(pair.calls) / Math.log1p(most)}
        d=${`M${LEFT + 8} ${from}C${middle} ${from} ${middle} ${to} ${WIDTH - LEFT - 8} ${to}`}><title>${said(pair)}</title></path>`;
    })}
    ${callers.map((text, i) => name(text, i, LEFT, 'end'))}${agents.map((text, i) => name(text, i, WIDTH - LEFT, 'start'))}</svg>`;
}

/** A part of the view of the fleet, or of one agent. It is read when it is opened. */
export function calls(app, agent = '') {
  let read;
  let error;
  const load = async () => {
    try {
      read = await get(`/api/v1/calls${query({ agent_id: agent, hours: String(HOURS) })}`);
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  const caller = ({ caller: { agent_id: id, name, key_id: key } }) => id ? agentLink(id) : html`${name ? html`<bdi>${name}</bdi> ` : nothing}${shortId(key)}`;
  const shown = ({ calls: pairs, truncated }) => !pairs.length ? empty(`Nobody called ${agent ? 'it, and its key called nobody,' : 'an agent'} through the gateway in the last ${HOURS} hours.`)
    : html`${graph(pairs)}${columns(`The last ${HOURS} hours`, [{ head: 'caller', cell: caller }, { head: 'calls', cell: pair => agentLink(pair.agent_id) },
      { head: 'number', cell: pair => number(pair.calls), figure: true }, { head: 'per hour', cell: pair => number(Math.round(10 * pair.calls / HOURS) / 10), figure: true },
      { head: 'failed', cell: pair => number(pair.failures), figure: true }, { head: 'share failed', cell: pair => share(pair.failure_rate), figure: true }], pairs)}
      ${truncated ? html`<p class="note">The pairs with the most calls.</p>` : nothing}`;
  const allowed = app.may.list && !app.me.role_ids?.length;
  const view = () => !allowed ? nothing : fold('Who calls whom', loaded(read, error, load, shown), 'calls', load);
  return { view };
}
