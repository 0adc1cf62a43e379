// How values are written.

export const VERDICTS = ['ok', 'degraded', 'unknown', 'down', 'blocked'];
export const STATUSES = ['active', 'draining', 'unhealthy', 'dead', 'deregistered'];

// Made once: a list formats some hundred values each time it is drawn.
const NUMBER = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });
const EXACT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' });
const AXIS_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const AXIS_TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

export const number = value => (value ?? null) === null ? '–' : NUMBER.format(value);
/** A number of things: "1 agent", "2 agents"; `more` is a plural without a final "s". */
export const many = (value, one, more = `${one}s`) => `${number(value)} ${value === 1 ? one : more}`;
/** A long id by its beginning and its end. */
export const short = id => id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-5)}` : id;
/** An amount of a currency: "USD 1.25". Small amounts keep their digits. */
export const money = (amount, currency) => `${currency} ${amount >= 1 || !amount ? amount.toFixed(2) : Number(amount.toPrecision(2))}`;
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
/** A number along the axis of a chart: "1.2M". */
export const compact = value => COMPACT.format(value);
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

/** A moment as people read it: "5 min ago", or "in 3 h". The time itself is `exact`, in a tooltip. */
export function ago(moment) {
  if (!moment) return 'never';
  const seconds = (Date.now() - Date.parse(moment)) / 1000;
  return seconds > -5 ? `${duration(seconds)} ago` : `in ${duration(-seconds)}`;
}

/** A day of UTC as people read it: "today" or "3 d ago". */
export const onDay = date => !date ? 'never' : Date.now() - Date.parse(date) < 86_400_000 ? 'today' : `${Math.floor((Date.now() - Date.parse(date)) / 86_400_000)} d ago`;

/** How long a state has lasted: "5 min". */
export const lasting = moment => duration((Date.now() - Date.parse(moment)) / 1000);

/** A moment in full, in the visitor's time zone: "29 Nov 2026, 02:42:33 CET". */
export const exact = moment => moment ? EXACT.format(new Date(moment)) : 'never';

/** A moment along the axis of a chart: the time, or the day of a chart of days. */
export const onAxis = (moment, isOfDays) => (isOfDays ? AXIS_DAY : AXIS_TIME).format(new Date(moment));

// A time in a sentence of the registry, with the word before it and its time zone (RFC 9557).
const WRITTEN = /(?:\b(at|since|until) )?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)(?:\[[\w/+-]{1,64}\])?/g;

/** The parts of a sentence: texts, and times as { at, text }: "since 2026-02-08T14:02:00Z" is "for 5 min". */
export function timed(sentence) {
  const found = [];
  let from = 0;
  for (const match of sentence.matchAll(WRITTEN)) {
    const [whole, word, at] = match;
    const isPast = Date.parse(at) <= Date.now();
    found.push(sentence.slice(from, match.index),
      { at, text: word === 'since' && isPast ? `for ${lasting(at)}` : word === 'until' && !isPast ? `for ${duration((Date.parse(at) - Date.now()) / 1000)} more`
        : `${!word || word === 'at' ? '' : `${word} `}${ago(at)}` });
    from = match.index + whole.length;
  }
  return [...found, sentence.slice(from)];
}

/** A sentence of the registry about a moment that is past: its times in full, as they do not depend on now. */
export const dated = sentence => sentence.replaceAll(WRITTEN, (whole, word, at) => `${word ? `${word} ` : ''}${exact(at)}`);

/** A sentence of the registry with its times as people read them, for places without markup. */
export const spoken = sentence => timed(sentence).map(part => part.text ?? part).join('');

/** A deviation from the expected runtime; a shorter runtime is no fault (Agent Health Model, Performance Score). */
export const deviation = (value, allowed) => (value ?? null) === null ? '–'
  : value > 0 ? `${share(value)} slower, allowed ${share(allowed)}` : value < 0 ? `${share(-value)} faster than expected` : 'none';

/** A code as words: "no_sign_of_life" is "no sign of life", "re_registered" is "re-registered". */
export const words = code => String(code ?? '–').replace(/^re_/, 're-').replaceAll('_', ' ');

const PLACES = { model: 'in a model call', tool: 'in a tool', human: 'waiting for a person', other: 'in its own code' };
/** What a task waits for, as a sentence continues. */
export const place = phase => PLACES[phase] || PLACES.other;

/** How long a task of an agent has been without progress for longer than declared, and what it waits for: "stalled for 12 min in a tool". */
export const stalled = agent => `stalled for ${lasting(agent.stalled_since)} ${place(agent.activity?.phase)}`;

/** Which calls an agent repeats, and since when: "repeats the tool search, 12 times in 4 min". */
export const looping = agent => `repeats ${agent.looping_tool ? `the tool ${agent.looping_tool}` : 'the same calls'}${
  agent.looping_repeats ? `, ${agent.looping_repeats} times` : ''} in ${lasting(agent.looping_since)}`;

/** When an agent of a schedule is to run and ran, as a sentence with times: "expected in 3 h, last ran 21 h ago". */
export function runs(record) {
  const last = record.heard === false ? 'has not run yet' : `last ran ${record.last_heartbeat_at}`;
  return record.expected_at ? `expected ${record.expected_at}, ${last}` : last;
}

/** The times of a schedule. */
export const schedule = declared => declared.cron ? `${declared.cron} (${declared.time_zone})` : `every ${duration(declared.every_seconds)}`;

/** What missing heartbeats of an agent lead to. */
export const silence = config => config.mode === 'none' ? 'no fault: the agent is only called'
  : config.schedule ? `unhealthy ${duration(config.schedule.grace_seconds)} after a run that did not come, dead ${duration(config.dead_after_seconds)} later`
  : `unhealthy after ${duration(config.unhealthy_after_seconds)}, dead after ${duration(config.dead_after_seconds)}`;

const WAYS = { ping: 'a ping', probe: 'a probe', call: 'a call', outcome: 'an outcome', span: 'a span' };
/** What showed last that an agent lives, where that was no heartbeat of its own: " by a ping". */
export const seenBy = agent => WAYS[agent.last_seen_by] ? ` by ${WAYS[agent.last_seen_by]}` : '';

/** That no heartbeat came since the registration, in the words of the command line. */
export const UNHEARD = 'none since the registration';

/** How the registry watches an agent: "every 60 s by a2a"; empty where it does not. */
export const watched = record => record.watch ? `every ${duration(record.watch.interval_seconds)} by ${words(record.watch.by)}` : '';

/** What the last probe of a watched agent found: "answered in 42 ms, 3 min ago" with times; empty where there are none. */
export function probed({ watch, last_probe: probe }) {
  if (!probe) return watch ? 'none yet' : '';
  return probe.failure ? `failed since ${probe.since}: ${probe.failure}`
    : `answered in ${millis(probe.response_ms)}, ${probe.at}${probe.declared ? `, declares itself ${probe.declared}` : ''}`;
}

/** How long the answers to probes took in the last day: "120 ms, 95 ms to 340 ms"; empty without any. */
export function responses({ last_probe: probe }) {
  const times = probe?.response_ms_last_day;
  return times ? `${millis(times.mean)}, ${millis(times.min)} to ${millis(times.max)} in the last day` : '';
}

/** When the certificate ends at which the last probe looked; empty without one. */
export function certificate({ last_probe: probe }) {
  if (!probe?.certificate_ends_at) return '';
  return `${Date.parse(probe.certificate_ends_at) > Date.now() ? 'ends' : 'ended'} ${probe.certificate_ends_at}`;
}

export const SIGNATURES = { valid: 'signed', unsigned: 'unsigned', unknown_key: 'signed by an unknown key', invalid: 'not what was signed' };
/** What the signatures of the card are worth that the last probe read; empty without a card. */
export const card = ({ signature }) => SIGNATURES[signature] || '';

/** The counts of a sync that are not 0: "2 registered, 1 conflict". */
export const counted = counts => Object.entries(counts || {}).filter(([, n]) => n).map(([what, n]) => what === 'conflict' ? many(n, what) : `${number(n)} ${what}`).join(', ') || '–';

const SIGNALS = { done: 'done', start: 'started', fail: 'failed' };
/** What was last said at a ping address: "exit code 3 2 h ago, took 5 min"; empty where there is none. */
export const pinged = address => !address ? '' : !address.last_ping_at ? 'none yet'
  : `${SIGNALS[address.last_signal] || `exit code ${address.last_signal}`} ${address.last_ping_at}${
    (address.duration_ms ?? null) === null ? '' : `, took ${duration(address.duration_ms / 1000)}`}`;

const why = (agent, reason) => reason === 'stalled' && agent.activity && agent.stalled_since ? stalled(agent)
  : reason === 'waiting_for_person' && agent.waiting_since ? `waiting for a person for ${duration((Date.now() - Date.parse(agent.waiting_since)) / 1000)}`
  : reason === 'looping' && agent.looping_since ? looping(agent)
  : reason === 'upstream' && agent.upstream ? `model provider ${agent.upstream.provider} fails for ${duration((Date.now() - Date.parse(agent.upstream.since)) / 1000)}`
  : ['over_limit', 'near_limit'].includes(reason) && agent.shared_limit ? `${words(reason)} of ${agent.shared_limit.holder} ${agent.shared_limit.id}: ${words(agent.shared_limit.limit)}`
  : reason === 'no_sign_of_life' && agent.heartbeat_mode === 'none' ? 'only called, few calls yet'
  : reason === 'silent' && agent.expected_at ? `no run at ${agent.expected_at}` : words(reason);

/** Why the verdict on an agent is not "ok": "stalled for 12 min in a tool". Where it is, what is expected of one that sends no heartbeats at an interval. */
export const whys = agent => spoken(agent.reasons.map(reason => why(agent, reason)).join(', ').replace(/^health (\w+), score \1\b/, 'health and score $1')
  || (agent.heartbeat_mode === 'none' ? 'only called' : agent.expected_at ? `expected ${agent.expected_at}` : ''));

/** Names an operator who ended the agent, or whose end of it a new registration ignores. */
const byOperator = event => event.previous_end?.ended_by === 'operator' ? ', although an operator had ended it' : event.ended_by === 'operator' ? ', by an operator' : '';

/** What happened in an event, in one sentence with times and without its subject. */
export function happened(event) {
  switch (event.type) {
    case 'agent.lifecycle':
      return event.previous_status === 'registering' ? 'registered'
        : `${words(event.previous_status)} → ${words(event.new_status)}: ${event.probe_failure || words(event.reason)}${byOperator(event)}`;
    case 'agent.health':
      return `health ${words(event.previous_status)} → ${words(event.new_status)}`;
    case 'agent.score':
      return `score ${words(event.previous_state)} → ${words(event.new_state)}`;
    case 'agent.trust':
      return event.action === 'blocked' && event.reason ? `blocked: ${event.reason}` : event.action;
    case 'agent.dismissed':
      return event.note ? `dismissed: ${event.note}` : 'dismissed';
    case 'agent.clock_drift':
      return 'clock differs from the registry’s';
    case 'agent.stalled':
      return `stalled ${place(event.phase)}: no progress for ${duration(event.no_progress_seconds)}`;
    case 'agent.stall_over':
      return `no longer stalled ${place(event.phase)}, after ${duration(event.stalled_seconds)}: ${words(event.reason)}`;
    case 'agent.waiting':
      return `waits for a person for ${duration(event.waiting_seconds)}`;
    case 'agent.waiting_over':
      return `no longer waits for a person, after ${duration(event.waiting_seconds)}: ${words(event.reason)}`;
    case 'agent.looping':
      return `looping${event.tool ? ` with the tool ${event.tool}` : ''}: the same calls ${event.repeats} times`;
    case 'agent.looping_over':
      return `no longer looping${event.tool ? ` with the tool ${event.tool}` : ''}, after ${many(event.repeats, 'repetition')}`;
    case 'agent.usage':
    case 'shared.usage':
      return event.level === 'none' ? `within its limit again: ${words(event.limit)}`
        : `${event.level === 'exceeded' ? 'over' : 'near'} its limit: ${number(event.used)} of ${number(event.maximum)} ${words(event.limit)}`;
    case 'agent.active_while_gone':
      return `goes on although incarnation ${event.active_incarnation} is ${words(event.state)}: ${words(event.of)}${event.instance ? ` on ${event.instance}` : ''}${event.address ? ` from ${event.address}` : ''}`;
    case 'agent.active_while_gone_over':
      return `no longer active while ${words(event.state)}`;
    case 'agent.run_failed':
      return event.exit_code ? `run failed: exit code ${event.exit_code}` : 'run failed';
    case 'agent.run_recovered':
      return event.result === 'succeeded' ? 'run succeeded' : 'ping address revoked';
    case 'agent.certificate_expiring':
      return `certificate ends ${event.certificate_ends_at}`;
    case 'agent.declaration_changed': {
      const parts = [...event.added, ...event.removed, ...event.altered];
      return parts.length ? `declares something else than accepted: ${parts.slice(0, 3).join(', ')}${parts.length > 3 ? ', …' : ''}` : 'declares what was accepted';
    }
    case 'containment.would_act':
      return `rule ${event.rule} would ${event.action} it: ${event.reasons.map(words).join(', ')}`;
    case 'containment.acted':
      return `rule ${event.rule} asked it to ${event.action}: ${event.reasons.map(words).join(', ')}`;
    case 'containment.held_back':
      return `rule ${event.rule} held back by its guard ${words(event.guard)}: ${many(event.agents, 'agent')}`;
    case 'registry.stopped':
      return `stopped: ${event.stop}`;
    case 'registry.stop_lifted':
      return `stop lifted: ${event.stop}`;
    case 'agent.drain_timeout':
      return 'drain time ran out';
    case 'key.expiring':
      return `key expires ${event.expires_at}`;
    case 'pool.below_minimum':
      return `pool below its minimum: ${event.active_instances} of ${event.min_instances} active`;
    case 'pool.recovered':
      return event.min_instances ? `pool recovered: ${event.active_instances} of ${event.min_instances} active` : 'pool has no minimum any more';
    case 'pool.version_worse':
      return `version ${event.agent_version} is worse than ${event.previous_version}: ${event.findings.map(words).join(', ')}`;
    case 'pool.version_recovered':
      return `version ${event.agent_version} is no longer worse than ${event.previous_version}, or no longer in use`;
    case 'registry.blackout':
      return 'self-check fails: no status changes';
    case 'registry.blackout_over':
      return 'self-check passes again';
    case 'registry.mass_silence':
      return `mass silence: ${event.silent_agents} of ${many(event.monitored_agents, 'agent')} silent`;
    case 'registry.mass_silence_over':
      return 'mass silence is over';
    case 'upstream.failing':
      return `fails for ${number(event.agents)} of ${many(event.users, 'agent')}: ${event.errors.map(words).join(', ')}`;
    case 'upstream.recovered':
      return `answers again after ${duration(event.failing_seconds)}; it failed for ${many(event.agents, 'agent')}`;
    case 'registry.mass_restart':
      return `mass restart: ${event.restarted_agents} of ${many(event.monitored_agents, 'agent')} restarted, deaths are postponed`;
    case 'registry.mass_restart_over':
      return 'mass restart is over';
    case 'registry.probes_inconclusive':
      return `${event.failing_agents} of ${many(event.sampled_agents, 'sampled probe')} fail at once`;
    case 'registry.probes_inconclusive_over':
      return 'probes are conclusive again';
    case 'registry.clock_stepped':
      return event.measured_by === 'stored_times' ? `a clock was ${Math.abs(Math.round(event.step_ms / 1000))} s ahead: times of ${many(event.corrected_agents, 'agent')} corrected`
        : `the registry's clock stepped by ${Math.round(event.step_ms / 1000)} s, or its machine slept`;
    case 'registry.clock_steady':
      return 'clock is steady again';
    case 'audit.recorded':
      return `${event.action} by ${event.author?.id}`;
    case 'lease.acquired':
    case 'lease.released':
    case 'lease.expired':
    case 'lease.revoked':
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

const TONES = ['bad', 'warn', 'good', ''];

/** How many events of each kind there are, the worst kinds first: `[kind, number, tone]`. The words are those of problems; "other" are all other kinds. */
export function summary(events) {
  const kinds = {};
  for (const event of events) {
    const kind = event.type === 'agent.lifecycle' ? (event.previous_status === 'registering' ? 'registered'
      : { active: 'recovered', unhealthy: 'silent', dead: 'dead', draining: 'draining', deregistered: 'left' }[event.new_status])
      : event.type === 'agent.health' && event.new_status !== 'unknown' ? event.new_status === 'unhealthy' ? 'fails' : event.new_status
      : event.type === 'agent.stalled' ? 'stalled' : event.type === 'agent.looping' ? 'looping' : event.type === 'agent.trust' ? event.action : '';
    const [, count, worst] = kinds[kind || 'other'] || ['', 0, ''];
    const look = kind ? tone(event) : '';
    kinds[kind || 'other'] = [kind || 'other', count + 1, TONES.indexOf(look) < TONES.indexOf(worst) ? look : worst];
  }
  return Object.values(kinds).sort(([a, , x], [b, , y]) => TONES.indexOf(x) - TONES.indexOf(y) || (b === 'dead') - (a === 'dead') || (a === 'other') - (b === 'other'));
}

/** What an event is about where it is not about an agent. */
export const subject = event => event.agent_id || event.role_id || event.provider_id || event.provider || 'registry';

/** How much attention an event deserves: "bad", "warn", "good" or "". */
export function tone(event) {
  const to = event.new_status || event.new_state || '';
  if (['critical', 'error'].includes(event.severity)) return 'bad';
  if (event.severity === 'warning' || to === 'draining') return 'warn';
  if (['active', 'healthy', 'Healthy'].includes(to) || event.action === 'unblocked'
    || ['agent.stall_over', 'agent.looping_over', 'agent.active_while_gone_over', 'agent.waiting_over', 'agent.run_recovered', 'pool.recovered', 'pool.version_recovered', 'upstream.recovered', 'registry.blackout_over', 'registry.mass_silence_over', 'registry.mass_restart_over',
      'registry.probes_inconclusive_over', 'registry.clock_steady', 'registry.stop_lifted'].includes(event.type)) return 'good';
  return '';
}
