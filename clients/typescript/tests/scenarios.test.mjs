// The client in the scenarios that all clients share: clients/scenarios/README.md. With AGENT_HEALTH_URL and AGENT_HEALTH_ADMIN_KEY also
// those for a real registry.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as client from "../dist/esm/index.js";
import { QUIET } from "./fakes.mjs";

const FAKE = fileURLToPath(new URL("../../scenarios/fake.py", import.meta.url));
const { AGENT_HEALTH_URL, AGENT_HEALTH_ADMIN_KEY } = process.env;
const ERRORS = {
  conflict: "Conflict", forbidden: "Forbidden", gone: "AgentGone", invalid_request: "InvalidRequest", lease_held: "LeaseHeld", not_found: "NotFound",
  precondition_failed: "PreconditionFailed", rate_limited: "RateLimited", superseded: "Superseded", unauthenticated: "Unauthenticated",
  unavailable: "RegistryUnavailable", unexpected_answer: "UnexpectedAnswer",
};

async function ask(url, body) {
  const answer = await fetch(url, { method: "POST", body: body && JSON.stringify(body) });
  return answer.json();
}

async function until(condition, what) {
  const end = Date.now() + 20_000;
  while (!condition()) {
    assert.ok(Date.now() < end, `waited for ${JSON.stringify(what)}`);
    await pause(20);
  }
}

/** Runs one scenario; returns what is wrong, or undefined where it is not for this registry. */
async function run(fake, name) {
  const { url, key, agent: profile, steps, options } = await ask(`${fake}/_fake/scenarios`, { name });
  if (!steps?.length) return undefined;
  const callbacks = { drain: [], dead: [], lost: [] };
  const tasks = new Map();
  const { agent_id, ...more } = profile;
  const plain = new client.Client(url, key);
  const agent = new client.Agent(url, key, agent_id, {
    profile: more, closeTimeoutSeconds: 1, logger: QUIET, registerAgain: options.register_again ?? true,
    onDrain: (drain) => void callbacks.drain.push(drain), onDead: (error) => void callbacks.dead.push(error),
  });
  let held;
  const actions = {
    start: () => agent.start(),
    close: () => agent.close(),
    drain: ({ reason }) => agent.drain(reason),
    outcome: ({ result, latency_ms: latencyMs, error_type: errorType }) => agent.record(result, { latencyMs, errorType }),
    begin: ({ task }) => void tasks.set(task, agent.begin(task)),
    end: ({ task, error_type }) => {
      if (error_type) tasks.get(task).fail(error_type);
      tasks.get(task).end();
    },
    lease: async ({ intent, scope, seconds }) => {
      held = await agent.lease(intent, scope, { seconds, onLost: (reason) => callbacks.lost.push(reason) });
    },
    release: () => held.release(),
    document: async ({ agent: id, expect }) => {
      const document = await plain.health(id);
      assert.deepEqual({ ...document, ...expect }, document);
    },
    score: ({ agent: id }) => plain.score(id),
    invoke: ({ agent: id, message }) => plain.invoke(id, message),
    pause: ({ seconds }) => pause(seconds * 1000),
    await_state: (step) => until(() => agent.state === step.state, step),
    await_callback: async (step) => {
      await until(() => callbacks[step.callback].length > 0, step);
      if (step.reason) assert.equal(callbacks[step.callback][0].reason, step.reason);
    },
    expect_state: ({ state }) => assert.equal(agent.state, state),
    expect_error: (step) => (step.error ? assert.equal(agent.lastError?.name, ERRORS[step.error]) : until(() => !agent.lastError, step)),
    expect_lease: (step) => assert.equal(held.lost, !step.held),
  };
  try {
    for (const step of steps) {
      const action = actions[step.do];
      if (!action) {
        assert.equal((await ask(`${url}/_fake/step`, step)).failure, null);
      } else if (step.raises) {
        const error = await Promise.resolve(step).then(action).then(() => undefined, (raised) => raised);
        assert.equal(error?.name, ERRORS[step.raises]);
        if (step.field) assert.deepEqual(error.fields.map((one) => one.field), [step.field]);
      } else {
        await action(step);
      }
    }
    return (await ask(`${url}/_fake/verdict`, {})).failures;
  } finally {
    await agent.close();
  }
}

async function all(least, ...options) {
  const process = spawn("python3", [FAKE, "--attached", ...options], { stdio: ["pipe", "pipe", "inherit"] });
  after(() => process.stdin.end());
  const [line] = await once(createInterface(process.stdout), "line");
  const fake = line.replace("ready at ", "");
  const names = await ask(`${fake}/_fake/scenarios`);
  const runs = await Promise.allSettled(names.map((name) => run(fake, name)));
  const wrong = runs.map(({ value, reason }, index) => [names[index], reason ?? value]).filter(([, found]) => found && found.length !== 0);
  assert.deepEqual(wrong, []);
  assert.ok(runs.filter(({ value }) => value).length >= least);
}

describe("scenarios", () => {
  test("every scenario with a registry that misbehaves", () => all(35));
  test("scenarios with a real registry", { skip: !AGENT_HEALTH_URL }, () => all(11, "--registry", AGENT_HEALTH_URL, "--admin-key", AGENT_HEALTH_ADMIN_KEY));
});
