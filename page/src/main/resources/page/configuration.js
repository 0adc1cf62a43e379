// The configuration of the whole registry.
import { html } from './lit-html.js';
import { ApiError, get, optional, send } from './api.js';
import { Form, box, field, listed, wrong } from './form.js';
import { loaded } from './parts.js';
import { administration } from './administration.js';

const PATH = '/v1/admin/configuration';
// Each setting: its kind of field, its path, its label and its meaning.
const SETTINGS = [
  // Written from the runtime settings by "mvn verify -Dwrite"; not to be edited by hand.
  ['number', 'sweep_passes_per_minute', 'Passes in a run of the sweep', 'Passes of the sweep within one of its runs: each minute on AWS, each five seconds on one machine. More passes find missing heartbeats sooner.'],
  ['number', 'sweep_fan_out_agents', 'Agents above which a pass is divided', 'Number of monitored agents above which a pass is divided into shards.'],
  ['number', 'mass_silence.minimum_agents', 'Mass silence: from this many agents on', 'Smaller fleets never have a mass silence.'],
  ['number', 'mass_silence.silent_percent', 'Mass silence: missing heartbeats, in percent', 'Percentage of agents with missing heartbeats that makes a mass silence. The cause is more likely the registry or the network than the agents.'],
  ['number', 'mass_silence.death_percent_per_minute', 'Mass silence: deaths each minute, in percent', 'Percentage of the fleet that may be marked as dead per minute of a mass silence.'],
  ['number', 'invocations.per_second', 'Calls through the gateway each second, per key', 'Invocations per second and key.'],
  ['number', 'invocations.burst', 'Calls at once, per key', 'Invocations of a key at once after a pause.'],
  ['number', 'invocations.max_in_flight', 'Synchronous calls in flight, all together', 'Synchronous invocations of all keys that may be under way at the same time; a quarter of them for one agent and for one key. 0: half of the account\'s concurrency, 256 on one machine.'],
  ['number', 'default_window_seconds', 'Window of the measurement, in seconds', 'Measurement window, in seconds, of agents that declare no window.'],
  ['number', 'max_agents_per_key', 'Agents per key', 'Maximum of live agents per key. A key at the maximum registers no further agent.'],
  ['number', 'max_watched_agents_per_key', 'Watched agents per key', 'Maximum of watched agents per key. A key at the maximum gets no further watched agent.'],
  ['number', 'waiting_after_seconds', 'Wait for a person before it is reported, in seconds', 'Seconds for which an agent may wait for a person before `agent.waiting` is published.'],
  ['number', 'leases.max_per_agent', 'Live leases per agent', 'Maximum of live leases per agent.'],
  ['number', 'leases.max_per_key', 'Live leases per key', 'Maximum of live leases of the agents of a key.'],
  ['number', 'leases.max_in_all', 'Live leases in all', 'Maximum of live leases of all agents.'],
  ['flag', 'public_catalogue', 'The catalogue of agents is readable without a key', 'Whether clients without a key may read and search the catalogue.'],
  ['ids', 'metric_roles', 'Roles with metrics of their own in CloudWatch', 'Ids of roles that have metrics of their own in CloudWatch. Each role costs three custom metrics.'],
  // The end of the runtime settings.
];

// Settings of AWS alone, which a registry on one machine does not use.
const OF_AWS = ['metric_roles'];
const CONCURRENCY = /half of the account's concurrency, (\d+) on one machine/;

// The value of a field in a form, by the kind of the field.
const READ = { number: (data, path) => Number(data.get(path)), ids: (data, path) => listed(data.get(path)), flag: (data, path) => data.has(path) };

const CURRENCY = 'model_prices.currency';
const MODELS = 'model_prices.models';

/** Prices as lines: the model, and the prices of a million tokens of input, output and input from a cache. */
const priceLines = prices => (prices?.models || []).map(one => [one.model, one.input, one.output, one.cached_input].filter(value => (value ?? null) !== null).join(' ')).join('\n');

/** The prices that a form has. A line that is no price is refused at the field. */
function readPrices(data) {
  const models = data.get(MODELS).split('\n').map(line => line.trim()).filter(Boolean).map((line, index) => {
    const [, model, ...numbers] = /^(.+?)\s+([\d.]+)\s+([\d.]+)(?:\s+([\d.]+))?$/.exec(line) || [];
    const [input, output, cached] = numbers.map(text => text === undefined ? undefined : Number(text));
    if (!model || [input, output].some(value => !(value >= 0)) || cached !== undefined && !(cached >= 0)) throw wrong(MODELS, `line ${index + 1} must be a model with two or three prices`);
    return { model, input, output, ...(cached === undefined ? {} : { cached_input: cached }) };
  });
  return { currency: data.get(CURRENCY).trim(), models };
}

const valueAt = (object, path) => path.split('.').filter(Boolean).reduce((value, name) => value[name], object);

export function configuration(app) {
  let values;
  let error;
  let done = '';
  let settings = SETTINGS;

  const load = async () => {
    try {
      let machine;
      [values, machine] = await Promise.all([get(PATH), optional(get('/_local/bus'))]);
      settings = SETTINGS.filter(([, path]) => !machine || !OF_AWS.includes(path))
        .map(([kind, path, label, hint]) => [kind, path, label, hint.replace(CONCURRENCY, machine ? '$1' : "half of the account's concurrency")]);
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
    for (const [kind, path] of settings) {
      const names = path.split('.');
      const last = names.pop();
      valueAt(next, names.join('.'))[last] = READ[kind](data, path);
    }
    const prices = readPrices(data);
    if (prices.models.length || values.model_prices?.models.length) next.model_prices = prices;
    values = await send('PUT', PATH, next);
    done = 'Written. It applies within a minute.';
  });

  const view = () => html`<h1>Configuration</h1>${administration('configuration')}
    <p class="note" role="status">${done}</p>
    ${loaded(values, error, load, read => html`<section><form @submit=${form.submit}><div class="fields">
      ${settings.filter(([kind]) => kind !== 'flag').map(([kind, path, label, hint]) => kind === 'number'
        ? field(form, path, label, { type: 'number', min: 0, required: true, value: valueAt(read, path), hint })
        : field(form, path, label, { value: valueAt(read, path).join(', '), hint: `${hint} Commas separate ids.` }))}</div>
      ${settings.filter(([kind]) => kind === 'flag').map(([, path, label]) => box(form, path, label, valueAt(read, path)))}
      <h2>Prices of models</h2><div class="fields">
      ${field(form, CURRENCY, 'Currency', { value: read.model_prices?.currency || 'USD', required: true, pattern: '[A-Z]{3}', hint: 'Three letters, such as USD.' })}
      ${field(form, MODELS, 'Prices of a million tokens', { rows: 4, value: priceLines(read.model_prices), placeholder: 'gpt-5 1.25 10 0.125',
    hint: 'A line for each model: its name as agents report it, and the prices of input, output and, if it differs, input from a cache. The page then shows estimated costs.' })}</div>
      ${form.problem()}<div class="actions"><button class="primary" ?disabled=${form.sending}>Save</button></div></form></section>`)}`;
  // What is being written is not replaced by what is read.
  return { title: 'Configuration', view };
}
