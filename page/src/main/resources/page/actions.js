// What operators do about agents and problems: each asks first, with what it leads to, and resolves to whether it was done.
import { nothing } from './lit-html.js';
import { get, send } from './api.js';
import { asked, field, given, wrong } from './form.js';

const MINUTE = 60;
const HOUR = 3600;
const TIMES = [[15 * MINUTE, '15 minutes'], [HOUR, '1 hour'], [4 * HOUR, '4 hours'], [24 * HOUR, '1 day'], [7 * 24 * HOUR, '7 days']];
// A longer silence is for administrators.
const MAX_OWN_SILENCE = 4 * HOUR;

const agentPath = id => `/api/v1/agents/${encodeURIComponent(id)}`;
const adminPath = (id, what) => `/v1/admin/agents/${encodeURIComponent(id)}/${what}`;
const timeField = (form, label, times = TIMES) => field(form, 'for_seconds', label, { value: HOUR, options: times });
const drainField = (form, value) => field(form, 'drain_timeout_seconds', 'Seconds to finish', { type: 'number', min: 1, max: 86_400, value, required: true });
const note = (form, hint = 'Shown to operators.') => field(form, 'note', 'Note', { hint });
const text = (data, name) => data.get(name)?.trim();

export const drain = id => asked('Drain', `${id} finishes its work, takes no more, and leaves.`, form => drainField(form, 300),
  async data => {
    const { version } = await get(agentPath(id));
    await send('PATCH', `${agentPath(id)}/status`, { status: 'draining', drain_timeout_seconds: Number(data.get('drain_timeout_seconds')) }, { 'If-Match': `"${version}"` });
  });

export const restart = id => asked('Restart', `${id} drains, and its process ends with status 75, so that its supervisor starts it anew.`, form => drainField(form, 120),
  data => send('POST', `${agentPath(id)}/commands`, { command: 'restart', drain_timeout_seconds: Number(data.get('drain_timeout_seconds')) }));

export const withdraw = (id, command) => asked(`Withdraw the ${command}`, `${id} keeps on working.`, () => nothing, () => send('DELETE', `${agentPath(id)}/commands/drain`));

export const block = id => asked('Block', `The registry refuses calls of ${id} until it is unblocked.`, form => field(form, 'reason', 'Reason', { hint: 'Shown to operators.' }),
  data => send('POST', adminPath(id, 'block'), given({ reason: text(data, 'reason') })));

export const unblock = id => asked('Unblock', `${id} can be called again.`, () => nothing, () => send('POST', adminPath(id, 'unblock'), {}));

export const accept = (id, digest) => asked('Accept', `What ${id} declares now is what is expected of it from now on.`, () => nothing,
  () => send('POST', `${agentPath(id)}/declaration/accept`, { digest }));

const problemPath = problem => `/api/v1/problems/${problem.problem_id}`;

const assignee = form => field(form, 'assignee', 'Who takes care of it', { hint: 'Empty for you.' });
const acknowledgement = data => given({ note: text(data, 'note'), assignee: text(data, 'assignee'), for_seconds: Number(data.get('for_seconds')) });

/** The problem that was seen, and no later one of the same subject. */
export const acknowledge = problem => asked('Acknowledge', `${problem.title}, ${problem.label}: it stays in the list.`, form => [timeField(form, 'Remind me in'), assignee(form), note(form)],
  data => send('POST', `${problemPath(problem)}/acknowledge`, { ...acknowledgement(data), opened_at: problem.opened_at }), 'primary');

/** Takes the acknowledgements of problems back. */
export async function release(problems) {
  for (const problem of problems) await send('POST', `${problemPath(problem)}/acknowledge`, { for_seconds: 0, opened_at: problem.opened_at });
  return true;
}

/** Problems that were seen, one after another; one that changed meanwhile stays as it is. Resolves to how many were acknowledged, 0 where nothing was done. */
export async function acknowledgeAll(problems) {
  let count = 0;
  await asked('Acknowledge all', `You take care of the ${problems.length} open problems that are shown; they stay in the list.`, form => [timeField(form, 'Remind me in'), assignee(form), note(form)],
    async data => {
      const request = acknowledgement(data);
      for (const problem of problems) {
        try {
          await send('POST', `${problemPath(problem)}/acknowledge`, { ...request, opened_at: problem.opened_at });
          count += 1;
        } catch (e) {
          if (e.status !== 409 && e.status !== 404) throw e;
        }
      }
    }, 'primary');
  return count;
}

export const dismiss = problem => asked('Dismiss', problem.kind === 'lifecycle' && problem.severity === 'error' ? `${problem.agent_id} will not come back: it is not counted as down any more. It is a new problem if it registers again and fails.`
  : `${problem.title}, ${problem.label}: it is closed until it occurs anew or gets worse.`, form => note(form, 'Why.'),
data => send('POST', `${problemPath(problem)}/dismiss`, given({ note: text(data, 'note'), opened_at: problem.opened_at })));

const ownTimes = app => app.may.administer ? TIMES : TIMES.filter(([seconds]) => seconds <= MAX_OWN_SILENCE);

function putSilence(app, scope, data) {
  const [subject] = Object.values(scope);
  // Long names may begin alike: the end of one is random, so that no silence replaces another.
  const name = `${subject.slice(0, 36)}-${new Date().toISOString().slice(0, 16).replace(/\D/g, '')}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  return send('PUT', `${silencesPath(app)}/${encodeURIComponent(name)}`, given({ scope, reason: text(data, 'reason'), for_seconds: Number(data.get('for_seconds')) }));
}

/** Silences an agent, or a role; an owner its own agents, for a shorter time. */
export const silence = (app, scope) => asked('Silence', `No message is sent about ${Object.values(scope)[0]} in this time. What is still wrong at its end is reported then.`,
  form => [timeField(form, 'For', ownTimes(app)), field(form, 'reason', 'Reason', { hint: 'Such as maintenance.' })], data => putSilence(app, scope, data), 'primary');

const NAMED = 8;
const named = ids => `${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''}`;
const agents = ids => ids.length === 1 ? '1 agent' : `${ids.length} agents`;

/** Does something for agents one after another, after a confirmation that counts them. Resolves to a sentence about the result, or to nothing. */
async function forAll(title, ids, text, fields, one, look) {
  const refused = [];
  let count = 0;
  const isDone = await asked(`${title} ${agents(ids)}`, `${text} ${named(ids)}`, fields, async data => {
    for (const id of ids) {
      try {
        await one(id, data);
        count += 1;
      } catch (e) {
        if (e.status === 0 || e.status === 401) throw e;
        refused.push(`${id}: ${e.message}`);
      }
    }
  }, look);
  if (!isDone) return '';
  return `${title}: done for ${count} of ${agents(ids)}.${refused.length ? ` ${refused.slice(0, 3).join(' ')}${refused.length > 3 ? ' …' : ''}` : ''}`;
}

export const drainAll = ids => forAll('Drain', ids, 'Each finishes its work, takes no more, and leaves:', form => drainField(form, 300),
  (id, data) => send('POST', `${agentPath(id)}/commands`, { command: 'drain', drain_timeout_seconds: Number(data.get('drain_timeout_seconds')) }), 'primary');

export const blockAll = ids => forAll('Block', ids, 'The registry refuses calls until they are unblocked:', form => field(form, 'reason', 'Reason', { hint: 'Shown to operators.' }),
  (id, data) => send('POST', adminPath(id, 'block'), given({ reason: text(data, 'reason') })));

export const deleteAll = ids => forAll('Delete', ids, 'Each leaves the registry at once. An agent that still works can register again:', () => nothing, id => send('DELETE', agentPath(id)));

export const silenceAll = (app, ids) => forAll('Silence', ids, 'No message is sent about them in this time:',
  form => [timeField(form, 'For', ownTimes(app)), field(form, 'reason', 'Reason', { hint: 'Such as maintenance.' })],
  (id, data) => putSilence(app, { agent_id: id }, data), 'primary');

// A large history is erased in several requests.
const MAX_ERASURES = 50;
const pause = seconds => new Promise(done => { setTimeout(done, seconds * 1000); });

/** Ends an agent if it still works, and erases it. */
export const erase = id => asked('Erase', `The registry forgets ${id}: its profile, history, events and problems. This cannot be undone. It takes about two minutes: keep this tab open.`,
  form => field(form, 'confirmation', `Type ${id} to confirm`, { required: true }), async data => {
    if (text(data, 'confirmation') !== id) throw wrong('confirmation', 'is not the id of the agent');
    const path = `/v1/admin/agents/${encodeURIComponent(id)}`;
    for (let tries = 0; tries < MAX_ERASURES; tries++) {
      try {
        const { done, retry_after_seconds: seconds } = await send('DELETE', path);
        if (done !== false) return;
        await pause(Math.min(seconds, 5));
      } catch (e) {
        if (e.code !== 'agent_not_gone' || tries) throw e;
        await send('DELETE', agentPath(id));
      }
    }
    throw wrong('confirmation', 'is right, but the erasure takes longer: try again in a minute');
  });

/** Silences of everybody for administrators, those of the key in use for others. */
export const silencesPath = app => app.may.administer ? '/v1/admin/silences' : '/api/v1/silences';
