package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.ScriptedAgent;
import dev.agenthealth.local.testing.ScriptedAgent.Behaviour;
import dev.agenthealth.testkit.SampleEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The requests to a system in order: every sample event of the samples' README, then those that were refused because of unknown names,
 * with the names that exist by then.
 */
final class Script {

    /** Requests six passes per minute, with which a later sweep would take a minute. */
    private static final String CONFIGURATION = "administration-put-configuration.json";

    /** Begins at a moment long past, and shows only what is some seconds old: asked a second time in the end. */
    private static final String FEED = "registry-system-events.json";

    /** Names a time of which the registry keeps no events by now. */
    private static final String REPUBLISH = "republish.json";

    private static final String CALLED = "agent_called_01";

    private final List<Step> steps = new ArrayList<>();

    private Script() {}

    /** @param agents who is called through the gateway */
    static List<Step> steps(ScriptedAgent agents) {
        Script script = new Script();
        script.samples();
        script.invocations(agents);
        script.leases();
        script.health();
        script.keys();
        script.stall();
        script.schedule();
        script.sweeps();
        script.lastSamples();
        script.republishing();
        return List.copyOf(script.steps);
    }

    private void samples() {
        for (SampleEvents.Row row : new SampleEvents().rows()) {
            if (!row.file().equals(CONFIGURATION) && !row.file().equals(REPUBLISH)) {
                int status = row.isHttp() ? Integer.parseInt(row.answer()) : 0;
                add(row.file(), status, answers -> sample(row.file()));
            }
        }
    }

    /** A shard of a sweep has all segments here: each database puts an item into a segment of its own choice. */
    private static Sample sample(String file) {
        Sample sample = new Sample(file);
        return file.startsWith("sweep-shard-") ? sample.member("to", "total") : sample;
    }

    private void invocations(ScriptedAgent agents) {
        for (String agentId : List.of(CALLED, "agent_called_02")) {
            add(agentId + " registers", 201, answers -> new Sample("registry-register.json")
                    .body(body -> body.put("agent_id", agentId)
                            .put("provider_id", "acme-labs")
                            .put("endpoint", agents.endpoint(Behaviour.COMPLETES))));
        }
        add("it is called", 200, answers -> new Sample("invoke.json").path("agent_id", CALLED));
        add("it is to be called", 202, answers -> new Sample("invoke-async.json").path("agent_id", CALLED));
        add("the worker calls it", 0, answers -> new Sample("invocation-worker.json").message(receipt(answers)));
        add("the receipt", 200, answers -> new Sample("receipt.json").path("receipt_id", receipt(answers)));
        add("its trust", 200, answers -> new Sample("trust-of-agent.json").path("agent_id", CALLED));
        add("its health record", 200, answers -> new Sample("trust-health-of-agent.json").path("agent_id", CALLED));
    }

    private static String receipt(Answers answers) {
        return answers.body("it is to be called").path("receipt_id").asText();
    }

    private void leases() {
        add("a lease", 201, answers -> acquire());
        add("it is read", 200, answers -> ofLease(answers, "lease-get.json", "a lease"));
        add("it is renewed", 200, answers -> ofLease(answers, "lease-renew.json", "a lease"));
        add("it is verified", 200, answers -> ofLease(answers, "lease-verify.json", "a lease")
                .body(body -> body.put(
                        "fencing_token",
                        answers.body("a lease").path("fencing_token").asLong())));
        add("it is released", 204, answers -> ofLease(answers, "lease-release.json", "a lease"));
        add("another lease", 201, answers -> acquire());
        add("it is revoked", 200, answers -> ofLease(answers, "lease-revoke.json", "another lease"));
    }

    private static Sample acquire() {
        return new Sample("lease-acquire.json")
                .path("intent_id", "intent_of_the_called")
                .body(body -> body.put("agent_id", CALLED));
    }

    private static Sample ofLease(Answers answers, String file, String lease) {
        return new Sample(file)
                .path("intent_id", "intent_of_the_called")
                .path("lease_id", answers.body(lease).path("id").asText());
    }

    private void health() {
        add("outcomes are reported", 202, answers -> new Sample("outcome-report.json").path("agent_id", CALLED));
        add("health is computed", 0, answers -> new Sample("measurement.json"));
        add("its health", 200, answers -> new Sample("health-of-agent.json").path("agent_id", CALLED));
        add("its score", 200, answers -> new Sample("health-score.json").path("agent_id", CALLED));
        add("its history", 200, answers -> new Sample("health-history.json").path("agent_id", CALLED));
    }

    private void keys() {
        add("a key is issued", 201, answers -> new Sample("administration-issue-key.json"));
        add("it is taken back", 204, answers -> new Sample("administration-revoke-key.json")
                .path("key_id", answers.body("a key is issued").path("key_id").asText()));
    }

    private void stall() {
        register("stuck_01", body -> body.putObject("heartbeat_config").put("stall_after_seconds", 60));
        heartbeat("it waits for a tool", "stuck_01", activity -> activity.put("no_progress_seconds", 90));
        sweep("its stall is found", "stalled");
        add("it is stalled", 200, answers -> new Sample("registry-get-agent.json").path("agent_id", "stuck_01"));
        heartbeat("it goes on", "stuck_01", activity -> activity.put("no_progress_seconds", 0));
        sweep("the end of its stall is found", "stall_over");
        add("the history of its stall", 200, answers -> new Sample("registry-agent-events.json")
                .path("agent_id", "stuck_01"));
    }

    private void schedule() {
        register("job_01", body -> schedule(body, 1));
        sweep("its run is overdue", "unhealthy");
        heartbeat("it runs", "job_01", activity -> {});
        add("it runs rarely from now on", 200, answers -> new Sample("registry-patch-profile.json")
                .path("agent_id", "job_01")
                .header("if-match", "*")
                .body(body -> {
                    schedule(body.removeAll(), 86_400);
                    return body;
                }));
        add("the history of the job", 200, answers -> new Sample("registry-agent-events.json")
                .path("agent_id", "job_01"));
    }

    private static void schedule(ObjectNode body, int everySeconds) {
        body.putObject("heartbeat_config")
                .put("dead_after_seconds", 86_400)
                .putObject("schedule")
                .put("every_seconds", everySeconds)
                .put("grace_seconds", 0);
    }

    private void register(String agentId, Consumer<ObjectNode> profile) {
        add(agentId + " registers", 201, answers -> new Sample("registry-register.json").body(body -> {
            body.removeAll().put("agent_id", agentId).put("owner_key_id", "administrator");
            profile.accept(body);
            return body;
        }));
    }

    private void heartbeat(String name, String agentId, Consumer<ObjectNode> activity) {
        add(name, 200, answers -> new Sample("heartbeat.json")
                .path("agent_id", agentId)
                .body(body -> {
                    body.removeAll()
                            .put("status", "active")
                            .put("client_timestamp", Instant.now().toString());
                    ObjectNode reported = Json.object().put("phase", "tool");
                    activity.accept(reported);
                    if (reported.has("no_progress_seconds")) {
                        body.set("activity", reported);
                    }
                    return body;
                }));
    }

    /** Sweeps until one pass has done this. */
    private void sweep(String name, String action) {
        steps.add(new Step(
                name,
                0,
                answers -> new Sample("sweep.json"),
                answer -> answer.path(0).path(action).asInt() == 1));
    }

    /** The first sweep counts the agents; by what it counted the second one is shared out. */
    private void sweeps() {
        add("a sweep of several agents", 0, answers -> new Sample("sweep.json"));
        add("a sweep that is shared out", 0, answers -> new Sample("sweep.json"));
        add("a drain at the version that there is", 200, answers -> new Sample("registry-patch-status.json")
                .path("agent_id", CALLED)
                .header("if-match", "\"1\""));
        add("the drained agent leaves", 204, answers -> new Sample("registry-deregister.json")
                .path("agent_id", CALLED));
    }

    private void lastSamples() {
        add(CONFIGURATION, 200, answers -> new Sample(CONFIGURATION));
        steps.add(new Step(
                "the feed of the last hour",
                200,
                answers -> new Sample(FEED)
                        .query("since", Instant.now().minus(Duration.ofHours(1)).toString()),
                answer -> Answers.body(answer).path("events").findValuesAsText("new_status").stream()
                                .filter("deregistered"::equals)
                                .count()
                        == 2));
    }

    /** Earlier blocks, which no rule of the template matches. */
    private void republishing() {
        steps.add(new Step(
                "events are sent once more",
                200,
                answers -> new Sample(REPUBLISH).body(body -> {
                    Instant now = Instant.now();
                    body.put("from", now.minus(Duration.ofHours(1)).toString())
                            .put("to", now.minusSeconds(6).toString());
                    body.putArray("types").add("agent.trust");
                    return body;
                }),
                answer -> Answers.body(answer).path("republished").asInt() > 0));
    }

    private void add(String name, int status, Function<Answers, Sample> sample) {
        steps.add(new Step(name, status, sample));
    }
}
