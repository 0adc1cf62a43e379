// How values are written.

export const VERDICTS = ['ok', 'degraded', 'unknown', 'down', 'blocked'];
export const STATUSES = ['active', 'draining', 'unhealthy', 'dead', 'deregistered'];

// Made once: a list formats some hundred values each time it is drawn.
const NUMBER = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'medium' });

export const number = value => (value ?? null) === null ? '–' : NUMBER.format(value);
export const share = value => (value ?? null) === null ? '–' : `${(100 * value).toFixed(1)} %`;
const ROUGH = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 2 });
/** A latency out of a histogram, which is exact to 5 %. */
export const roughMillis = value => (value ?? null) === null ? '–' : `about ${ROUGH.format(value)} ms`;
export const millis = value => (value ?? null) === null ? '–' : `${number(value)} ms`;

/** A duration in the largest unit that fits, such as "5 min". */
export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s <= 90) return `${s} s`;
  if (s < 300) return `${number(s / 60)} min`;
  if (s < 90 * 60) return `${Math.round(s / 60)} min`;
  if (s < 36 * 3600) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86400)} d`;
}

export const ago = moment => moment ? `${duration((Date.now() - Date.parse(moment)) / 1000)} ago` : 'never';

export const clock = moment => moment ? CLOCK.format(new Date(moment)) : '–';

/** A deviation from the expected runtime; a shorter runtime is no fault (Agent Health Model, Performance Score). */
export const deviation = (value, allowed) => (value ?? null) === null ? '–'
  : value > 0 ? `${share(value)} slower, allowed ${share(allowed)}` : value < 0 ? `${share(-value)} faster than expected` : 'none';

/** A code as words: "no_sign_of_life" is "no sign of life", "re_registered" is "re-registered". */
export const words = code => String(code ?? '–').replace(/^re_/, 're-').replaceAll('_', ' ');

const PLACES = { model: 'in a model call', tool: 'in a tool', human: 'waiting for a person', other: 'in its own code' };
/** What a task waits for, as a sentence continues. */
export const place = phase => PLACES[phase] || PLACES.other;

/** Why the verdict on an agent is not "ok": "stalled for 12 min in a tool". */
export const whys = agent => agent.reasons.map(reason => reason === 'stalled' && agent.activity && agent.stalled_since
  ? `stalled for ${duration((Date.now() - Date.parse(agent.stalled_since)) / 1000)} ${place(agent.activity.phase)}` : words(reason)).join(', ');

/** What happened in an event, in one sentence without its subject. */
export function happened(event) {
  switch (event.type) {
    case 'agent.lifecycle':
      return event.previous_status === 'registering' ? 'registered'
        : `${words(event.previous_status)} → ${words(event.new_status)}: ${words(event.reason)}`;
    case 'agent.health':
      return `health ${words(event.previous_status)} → ${words(event.new_status)}`;
    case 'agent.score':
      return `score ${words(event.previous_state)} → ${words(event.new_state)}`;
    case 'agent.trust':
      return event.action === 'blocked' && event.reason ? `blocked: ${event.reason}` : event.action;
    case 'agent.clock_drift':
      return 'clock differs from the registry’s';
    case 'agent.stalled':
      return `stalled ${place(event.phase)}: no progress for ${duration(event.no_progress_seconds)}`;
    case 'agent.stall_over':
      return `no longer stalled ${place(event.phase)}, after ${duration(event.stalled_seconds)}: ${words(event.reason)}`;
    case 'agent.drain_timeout':
      return 'drain time ran out';
    case 'pool.below_minimum':
      return `pool below its minimum: ${event.active_instances} of ${event.min_instances} active`;
    case 'pool.recovered':
      return event.min_instances ? `pool recovered: ${event.active_instances} of ${event.min_instances} active` : 'pool has no minimum any more';
    case 'registry.blackout':
      return 'self-check fails: no status changes';
    case 'registry.blackout_over':
      return 'self-check passes again';
    case 'registry.mass_silence':
      return `mass silence: ${event.silent_agents} of ${event.monitored_agents} agents silent`;
    case 'registry.mass_silence_over':
      return 'mass silence is over';
    default:
      return words(event.type.replace('.', ' '));
  }
}

/** Events of one agent at the same time as one group each; the newest first, as given. */
export function grouped(events) {
  const groups = [];
  for (const event of events) {
    const last = groups.at(-1)?.[0];
    if (last?.agent_id && last.agent_id === event.agent_id && Date.parse(last.timestamp) - Date.parse(event.timestamp) < 2000) groups.at(-1).push(event);
    else groups.push([event]);
  }
  return groups;
}

/** How many events of each kind there are that an operator looks for. */
export function summary(events) {
  const counts = {};
  for (const event of events) {
    const kind = event.type === 'agent.lifecycle' ? (event.previous_status === 'registering' ? 'registered'
      : { active: 'recovered', unhealthy: 'silent', dead: 'dead', draining: 'draining', deregistered: 'left' }[event.new_status])
      : event.type === 'agent.health' && event.new_status !== 'unknown' ? event.new_status
      : event.type === 'agent.stalled' ? 'stalled' : event.type === 'agent.trust' ? event.action : '';
    if (kind) counts[kind] = (counts[kind] || 0) + 1;
  }
  return counts;
}

/** What an event is about where it is not about an agent. */
export const subject = event => event.agent_id || event.role_id || event.provider_id || 'registry';

/** How much attention an event deserves: "bad", "warn", "good" or "". */
export function tone(event) {
  const to = event.new_status || event.new_state || '';
  if (['dead', 'Unhealthy'].includes(to) || (event.type === 'agent.health' && to === 'unhealthy') || event.action === 'blocked'
    || (event.type === 'agent.stalled' && event.severity === 'error') || ['registry.blackout', 'registry.mass_silence'].includes(event.type)) return 'bad';
  if (['unhealthy', 'degraded', 'Degraded', 'draining'].includes(to) || ['pool.below_minimum', 'agent.stalled'].includes(event.type)) return 'warn';
  if (['active', 'healthy', 'Healthy'].includes(to) || event.action === 'unblocked'
    || ['agent.stall_over', 'pool.recovered', 'registry.blackout_over', 'registry.mass_silence_over'].includes(event.type)) return 'good';
  return '';
}
