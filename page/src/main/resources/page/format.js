// How values are written.

export const VERDICTS = ['ok', 'degraded', 'unknown', 'down', 'blocked'];
export const STATUSES = ['active', 'draining', 'unhealthy', 'dead', 'deregistered'];

export const number = value => (value ?? null) === null ? '–' : Number(value).toLocaleString('en-GB', { maximumFractionDigits: 1 });
export const share = value => (value ?? null) === null ? '–' : `${(100 * value).toFixed(1)} %`;
export const millis = value => (value ?? null) === null ? '–' : `${number(value)} ms`;

/** A duration in the largest unit that fits, such as "5 min". */
export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 90) return `${s} s`;
  if (s < 90 * 60) return `${Math.round(s / 60)} min`;
  if (s < 36 * 3600) return `${Math.round(s / 3600)} h`;
  return `${Math.round(s / 86400)} d`;
}

export const ago = moment => moment ? `${duration((Date.now() - Date.parse(moment)) / 1000)} ago` : 'never';

export const clock = moment => moment ? new Date(moment).toLocaleString('en-GB', { hour12: false }) : '–';

/** A code as words: "no_sign_of_life" is "no sign of life". */
export const words = code => String(code ?? '–').replaceAll('_', ' ');

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
      return event.blocked === undefined ? words(event.change || 'trust changed') : event.blocked ? 'blocked' : 'unblocked';
    case 'agent.clock_drift':
      return 'clock differs from the registry’s';
    case 'agent.drain_timeout':
      return 'drain time ran out';
    case 'pool.below_minimum':
      return 'pool below its minimum';
    default:
      return words(event.type.replace('.', ' '));
  }
}

/** How much attention an event deserves: "bad", "warn", "good" or "". */
export function tone(event) {
  const to = event.new_status || event.new_state || '';
  if (['dead', 'Unhealthy'].includes(to) || (event.type === 'agent.health' && to === 'unhealthy')) return 'bad';
  if (['unhealthy', 'degraded', 'Degraded', 'draining'].includes(to) || event.type === 'pool.below_minimum') return 'warn';
  if (['active', 'healthy', 'Healthy'].includes(to)) return 'good';
  return '';
}
