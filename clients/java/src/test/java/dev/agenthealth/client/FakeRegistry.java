package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static dev.agenthealth.client.ScriptedTransport.problem;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.testing.ManualScheduler;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A registry in memory that a test can take away, and the time in which client and registry live. */
final class FakeRegistry implements Transport {

    static final Instant START = Instant.parse("2026-02-08T10:00:00Z");

    final ManualScheduler scheduler = new ManualScheduler();
    final Clock clock = scheduler.clock(START);
    final List<Sent> sent = new ArrayList<>();

    private final Map<String, Long> incarnations = new HashMap<>();
    private final Map<String, Answer> refusals = new HashMap<>();
    private final Map<String, String> extras = new HashMap<>();
    private boolean away;
    private Runnable during = () -> {};

    /** A request, and when it was sent. */
    record Sent(String method, String url, JsonNode body, Map<String, String> headers, Duration at) {

        String path() {
            return url.replaceFirst("(?i)https?://[^/]+", "");
        }
    }

    AgentHealthClientBuilder client() {
        return AgentHealthClient.builder("http://registry")
                .apiKey("secret")
                .transport(this)
                .scheduler(scheduler)
                .clock(clock)
                .random(new Random(7))
                .drainOnShutdown(false);
    }

    /** No request is answered from now on. */
    void goAway() {
        away = true;
    }

    void comeBack() {
        away = false;
    }

    /** Answers every request whose path ends so with this problem. */
    void refuse(String end, int status, String code) {
        refusals.put(end, problem(status, code));
    }

    void refuse(String end, Answer answer) {
        refusals.put(end, answer);
    }

    void accept(String end) {
        refusals.remove(end);
    }

    /** Adds members, such as {@code 'a':1}, to the answers of paths that end so. */
    void add(String end, String members) {
        extras.put(end, members.replace('\'', '"'));
    }

    /** Does something while the next request is under way. */
    void during(Runnable action) {
        during = action;
    }

    /** Another process registers the agent, or the registry archived it. */
    void incarnation(String agentId, long incarnation) {
        incarnations.put(agentId, incarnation);
    }

    List<Sent> sentTo(String end) {
        return sent.stream().filter(one -> one.path().endsWith(end)).toList();
    }

    List<Sent> heartbeats() {
        return sentTo("/heartbeat");
    }

    List<Sent> registrations() {
        return sent.stream()
                .filter(one -> one.method().equals("POST") && one.path().equals("/api/v1/agents"))
                .toList();
    }

    @Override
    public Answer send(Request request) throws IOException {
        JsonNode body = Json.read(request.body());
        Sent one = new Sent(
                request.method(),
                request.uri().toString(),
                body,
                request.headers(),
                Duration.ofNanos(scheduler.nanoTime()));
        sent.add(one);
        Runnable action = during;
        during = () -> {};
        action.run();
        if (away) {
            throw new IOException("connection refused");
        }
        for (Map.Entry<String, Answer> refusal : refusals.entrySet()) {
            if (one.path().endsWith(refusal.getKey())) {
                return refusal.getValue();
            }
        }
        return withExtras(one, answerTo(one));
    }

    private Answer answerTo(Sent one) {
        if (one.path().endsWith("/heartbeats")) {
            ArrayNode results = Json.object().putArray("results");
            for (JsonNode heartbeat : one.body().path("heartbeats")) {
                String agentId = heartbeat.path("agent_id").asText();
                Answer refusal = refusals.get(agentId);
                ObjectNode result = (ObjectNode)
                        Json.read((refusal == null ? acknowledgement(agentId, heartbeat) : refusal).body());
                results.add(
                        result.put("agent_id", agentId).put("status_code", refusal == null ? 200 : refusal.status()));
            }
            ObjectNode together = Json.object();
            together.set("results", results);
            return answer(200, together.toString());
        }
        if (one.path().endsWith("/heartbeat")) {
            return acknowledgement(one.path().split("/")[4], one.body());
        }
        if (one.path().equals("/api/v1/agents")) {
            String agentId = one.body().path("agent_id").asText("generated");
            incarnations.merge(agentId, 1L, Long::sum);
            return answer(201, record(agentId));
        }
        if (one.method().equals("GET") && one.path().startsWith("/api/v1/agents/")) {
            return answer(200, record(one.path().split("/")[4]));
        }
        if (one.path().endsWith("/outcomes")) {
            return answer(202, "{'accepted':1,'duplicate':false}");
        }
        if (one.path().endsWith("/leases")) {
            return answer(201, "{'id':'lease_1','intent_id':'i','scope':'s','fencing_token':7}");
        }
        return one.method().equals("DELETE") ? new Answer(204, Map.of(), "") : answer(200, "{}");
    }

    private Answer acknowledgement(String agentId, JsonNode heartbeat) {
        String outcomes = heartbeat.has("outcomes") ? ",'outcomes':{'status_code':202}" : "";
        boolean leaves = heartbeat.path("status").asText().equals("draining")
                && heartbeat.path("current_load").asInt() == 0;
        String status = leaves ? "deregistered" : heartbeat.path("status").asText();
        return answer(
                200,
                "{'acknowledged':true,'agent_status':'" + status + "','incarnation':" + incarnations.get(agentId)
                        + ",'server_timestamp':'" + clock.instant() + "','pending_commands':[]" + outcomes + "}");
    }

    private String record(String agentId) {
        return "{'agent_id':'" + agentId + "','incarnation':" + incarnations.getOrDefault(agentId, 1L)
                + ",'version':1,'status':'active','last_heartbeat_at':'" + clock.instant()
                + "','heartbeat_config':{'interval_seconds':30,'unhealthy_after_seconds':90,'dead_after_seconds':300}}";
    }

    private Answer withExtras(Sent one, Answer answer) {
        for (Map.Entry<String, String> extra : extras.entrySet()) {
            if (one.path().endsWith(extra.getKey())) {
                String body = answer.body().substring(0, answer.body().length() - 1) + "," + extra.getValue() + "}";
                return new Answer(answer.status(), answer.headers(), body);
            }
        }
        return answer;
    }
}
