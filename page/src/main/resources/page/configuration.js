// The configuration of the whole registry.
import { html } from './lit-html.js';
import { ApiError, get, send } from './api.js';
import { Form, box, field, listed } from './form.js';
import { loaded } from './parts.js';
import { administration } from './administration.js';

const PATH = '/v1/admin/configuration';
// Each number by its path, with what it decides.
const NUMBERS = [['sweep_passes_per_minute', 'Passes of the sweep each minute', 'How soon a silent agent is found.'],
  ['sweep_fan_out_agents', 'Agents above which a pass is divided', ''],
  ['mass_silence.minimum_agents', 'Mass silence: from this many agents on', 'Smaller fleets are never held back.'],
  ['mass_silence.silent_percent', 'Mass silence: silent, in percent', 'When so many are silent at once, the registry or the network is suspected.'],
  ['mass_silence.death_percent_per_minute', 'Mass silence: deaths each minute, in percent', 'So many agents are marked as dead then at most.'],
  ['invocations.per_second', 'Calls through the gateway each second, per key', ''], ['invocations.burst', 'Calls at once, per key', ''],
  ['invocations.max_in_flight', 'Synchronous calls in flight, all together', '0 follows the concurrency of the account.'],
  ['default_window_seconds', 'Window of the measurement, in seconds', 'Of agents that declare none.'],
  ['max_agents_per_key', 'Agents per key', ''], ['max_watched_agents_per_key', 'Watched agents per key', ''],
  ['leases.max_per_agent', 'Live leases per agent', ''], ['leases.max_per_key', 'Live leases per key', ''], ['leases.max_in_all', 'Live leases in all', '']];

const valueAt = (object, path) => path.split('.').filter(Boolean).reduce((value, name) => value[name], object);

export function configuration(app) {
  let values;
  let error;
  let done = '';

  const load = async () => {
    try {
      values = await get(PATH);
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const form = new Form(() => app.show(), async data => {
    if (JSON.stringify(await get(PATH)) !== JSON.stringify(values)) throw new ApiError(409, { detail: 'The configuration was changed meanwhile. Open this view again.' });
    const next = structuredClone(values);
    for (const [path] of NUMBERS) {
      const names = path.split('.');
      const last = names.pop();
      valueAt(next, names.join('.'))[last] = Number(data.get(path));
    }
    next.public_catalogue = data.has('public_catalogue');
    next.metric_roles = listed(data.get('metric_roles'));
    values = await send('PUT', PATH, next);
    done = 'Written. It applies within a minute.';
  });

  const view = () => html`<h1>Configuration</h1>${administration('configuration')}
    <p class="note" role="status">${done}</p>
    ${loaded(values, error, load, read => html`<section><form @submit=${form.submit}><div class="fields">
      ${NUMBERS.map(([path, label, hint]) => field(form, path, label, { type: 'number', min: 0, required: true, value: valueAt(read, path), hint }))}
      ${field(form, 'metric_roles', 'Roles with metrics of their own in CloudWatch', { value: read.metric_roles.join(', '), hint: 'With commas; each costs.' })}</div>
      ${box(form, 'public_catalogue', 'The catalogue of agents is readable without a key', read.public_catalogue)}
      ${form.problem()}<div class="actions"><button class="primary" ?disabled=${form.sending}>Save</button></div></form></section>`)}`;
  // What is being written is not replaced by what is read.
  return { title: 'Configuration', view };
}
