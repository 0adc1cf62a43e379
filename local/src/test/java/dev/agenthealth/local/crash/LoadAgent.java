package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.crash.KilledRegistry.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BooleanSupplier;

/**
 * An agent of the load, and what the registry acknowledged to it. A request without an answer is repeated until it has one; invocations are
 * not. Thread-safe: one step at a time, and heartbeats beside them.
 */
final class LoadAgent {

    static final Duration INTERVAL = Duration.ofSeconds(2);
    static final Duration UNHEALTHY_AFTER = Duration.ofSeconds(5);
    static final Duration DEAD_AFTER = Duration.ofSeconds(10);

    private static final int AGENTS_PER_INTENT = 4;

    private final int number;
    private final int agents;
    private final String id;
    private final String key;
    private final String endpoint;
    private final KilledRegistry registry;
    private final Random random;

    private final NavigableSet<Instant> heard = new ConcurrentSkipListSet<>();
    private volatile Instant lastHeartbeat = Instant.MIN;
    private volatile boolean isRegistered;
    private volatile boolean isSilent;

    private final Map<String, Lease> leases = new LinkedHashMap<>();
    private final Map<String, Invocation> invocations = new LinkedHashMap<>();
    private final Set<String> verified = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private Optional<BooleanSupplier> unanswered = Optional.empty();
    private Optional<Lease> held = Optional.empty();
    private long registrations;
    private long departures;
    private long reported;
    private boolean isBlocked;
    private int requests;

    /** As it was acknowledged last. */
    record Lease(String id, String intentId, long token, String expiresAt, boolean isActive) {

        String path() {
            return "/api/v1/intents/" + intentId + "/leases/" + id;
        }
    }

    /** @param isAsynchronous true where the registry acknowledged the request and not yet the result */
    private record Invocation(String text, boolean isAsynchronous) {}

    LoadAgent(int number, int agents, String key, String endpoint, KilledRegistry registry, Random random) {
        this.number = number;
        this.agents = agents;
        this.id = id(number);
        this.key = key;
        this.endpoint = endpoint;
        this.registry = registry;
        this.random = random;
    }

    private static String id(int number) {
        return "agent-" + number;
    }

    String id() {
        return id;
    }

    void endHeartbeats() {
        isSilent = true;
    }

    void heartbeat() {
        if (isRegistered && !isSilent) {
            Instant sent = Instant.now();
            Answer answer = call("POST", "/heartbeat", "{\"status\":\"active\",\"client_timestamp\":\"" + sent + "\"}");
            if (answer.status() == 200) {
                heard.add(sent);
                lastHeartbeat =
                        Instant.parse(answer.json().path("server_timestamp").asText());
            }
        }
    }

    /** How long no heartbeat was acknowledged while the registry answered. */
    Duration silenceAt(Instant moment) {
        Instant last = Optional.ofNullable(heard.lower(moment)).orElse(moment);
        return Duration.between(last, moment).minus(registry.downWithin(last, moment));
    }

    /** Sends one more request, or repeats one without an answer. */
    synchronized void step() {
        BooleanSupplier request = unanswered.orElseGet(this::next);
        boolean isAnswered = request.getAsBoolean();
        unanswered = isAnswered ? Optional.empty() : Optional.of(request);
    }

    /** Repeats what has no answer, and registers where the agent is not registered; false where there is no answer yet. */
    synchronized boolean settle() {
        if (unanswered.isPresent()) {
            step();
        }
        if (unanswered.isEmpty() && !isRegistered) {
            step();
        }
        return unanswered.isEmpty() && isRegistered;
    }

    private BooleanSupplier next() {
        if (!isRegistered) {
            return this::register;
        }
        requests++;
        String name = id + "-" + requests;
        int choice = random.nextInt(100);
        if (choice < 30) {
            int outcomes = 1 + random.nextInt(5);
            return () -> report(name, outcomes);
        } else if (choice < 60) {
            return leaseRequest();
        } else if (choice < 75) {
            String peer = peer();
            return () -> invoke(peer, name, false);
        } else if (choice < 90) {
            String peer = peer();
            return () -> invoke(peer, name, true);
        } else if (choice < 95 && held.isEmpty()) {
            return this::deregister;
        } else if (choice >= 95 && number % 5 == 0 && !isBlocked) {
            return this::block;
        }
        return () -> true;
    }

    private BooleanSupplier leaseRequest() {
        if (held.isEmpty()) {
            return this::acquire;
        }
        Lease lease = held.get();
        return random.nextBoolean() ? () -> renew(lease) : () -> release(lease);
    }

    private String peer() {
        return id(random.nextInt(agents));
    }

    private boolean register() {
        ObjectNode body =
                Json.object().put("agent_id", id).put("role_id", "worker").put("endpoint", endpoint);
        body.putObject("heartbeat_config")
                .put("interval_seconds", INTERVAL.toSeconds())
                .put("unhealthy_after_seconds", UNHEALTHY_AFTER.toSeconds())
                .put("dead_after_seconds", DEAD_AFTER.toSeconds());
        Instant sent = Instant.now();
        Answer answer = registry.call("POST", "/api/v1/agents", key, Json.text(body));
        if (answer.status() == 409 && unanswered.isPresent()) {
            answer = call("GET", "", "");
        } else if (answer.isFinal()) {
            expect(answer, 201);
        }
        if (!answer.isFinal()) {
            return false;
        }
        registrations++;
        expectEqual(
                "incarnation", registrations, answer.json().path("incarnation").asLong());
        heard.add(sent);
        isRegistered = true;
        return true;
    }

    private boolean deregister() {
        Answer answer = call("DELETE", "", "");
        if (!answer.isFinal()) {
            return false;
        }
        expectFirst(answer, 204);
        isRegistered = false;
        lastHeartbeat = Instant.MIN;
        departures++;
        return true;
    }

    private boolean acquire() {
        String intentId = "intent-" + number / AGENTS_PER_INTENT;
        String body = "{\"agent_id\":\"" + id + "\",\"scope\":\"write\",\"duration_seconds\":3600}";
        Answer answer = registry.call("POST", "/api/v1/intents/" + intentId + "/leases", key, body);
        if (answer.status() == 201 || answer.status() == 200) {
            put(lease(intentId, answer.json(), true));
        } else if (answer.isFinal()) {
            expect(answer, 409);
        }
        return answer.isFinal();
    }

    private boolean renew(Lease lease) {
        Answer answer = registry.call("PATCH", lease.path(), key, "{\"duration_seconds\":7200}");
        if (answer.isFinal()) {
            expect(answer, 200);
            put(lease(lease.intentId(), answer.json(), true));
        }
        return answer.isFinal();
    }

    private boolean release(Lease lease) {
        Answer answer = registry.call("DELETE", lease.path(), key, "");
        if (answer.isFinal()) {
            expectFirst(answer, 204);
            put(new Lease(lease.id(), lease.intentId(), lease.token(), lease.expiresAt(), false));
        }
        return answer.isFinal();
    }

    private void put(Lease lease) {
        leases.put(lease.id(), lease);
        verified.remove(lease.id());
        held = Optional.of(lease).filter(Lease::isActive);
    }

    private static Lease lease(String intentId, JsonNode json, boolean isActive) {
        return new Lease(
                json.path("id").asText(),
                intentId,
                json.path("fencing_token").asLong(),
                json.path("expires_at").asText(),
                isActive);
    }

    private boolean report(String batchId, int outcomes) {
        ObjectNode body = Json.object().put("batch_id", batchId);
        for (int i = 0; i < outcomes; i++) {
            body.withArray("outcomes").addObject().put("result", "success").put("latency_ms", 5);
        }
        Answer answer = call("POST", "/outcomes", Json.text(body));
        if (answer.isFinal()) {
            expect(answer, 202);
            reported += outcomes;
        }
        return answer.isFinal();
    }

    /** Peers may be blocked, gone or busy. */
    private boolean invoke(String peer, String text, boolean isAsynchronous) {
        Answer answer = registry.call(
                "POST",
                "/v1/agents/" + peer + (isAsynchronous ? "/invoke-async" : "/invoke"),
                key,
                "{\"message\":\"" + text + "\"}",
                "idempotency-key",
                "\"" + text + "\"");
        if (answer.status() == (isAsynchronous ? 202 : 200)) {
            invocations.put(answer.json().path("receipt_id").asText(), new Invocation(text, isAsynchronous));
        } else if (answer.status() == 502 || answer.status() == 504) {
            problems.add(id + ": invocation " + text + " failed: " + answer.json());
        }
        return answer.status() != 0 || !isAsynchronous;
    }

    private boolean block() {
        Answer answer = registry.call(
                "POST", "/v1/admin/agents/" + id + "/block", KilledRegistry.ADMINISTRATOR, "{\"reason\":\"test\"}");
        if (answer.isFinal()) {
            expect(answer, 200);
            isBlocked = true;
        }
        return answer.isFinal();
    }

    /** What of the acknowledged writes the registry does not answer now, or answers otherwise. @param all false for what is new since the last call */
    synchronized List<String> missing(boolean all, Receivers receivers) {
        if (all) {
            verified.clear();
        }
        List<String> missing = new ArrayList<>(problems);
        Instant heartbeat = lastHeartbeat;
        JsonNode agent = call("GET", "", "").json();
        require(missing, agent, "incarnation", String.valueOf(registrations));
        if (!Set.of("active", "unhealthy", "dead").contains(agent.path("status").asText())) {
            missing.add(id + " is registered: " + agent);
        }
        if (heartbeat.isAfter(Instant.parse(agent.path("last_heartbeat_at").asText(Instant.EPOCH.toString())))) {
            missing.add(id + " sent a heartbeat at " + heartbeat + ": " + agent);
        }
        JsonNode trust = administrator("/v1/trust/agents/" + id);
        require(missing, trust, "blocked", String.valueOf(isBlocked));
        for (Lease lease : leases.values()) {
            if (verified.add(lease.id())) {
                JsonNode stored = administrator(lease.path());
                require(missing, stored, "fencing_token", String.valueOf(lease.token()));
                require(missing, stored, "expires_at", lease.expiresAt());
                require(missing, stored, "status", lease.isActive() ? isSilent ? "expired" : "active" : "released");
            }
        }
        invocations.forEach((receiptId, invocation) -> {
            if (!verified.contains(receiptId) && checkReceipt(missing, receiptId, invocation, receivers)) {
                verified.add(receiptId);
            }
        });
        return missing;
    }

    /** Whether the invocation is over. One whose process was killed is marked as interrupted after two minutes. */
    private boolean checkReceipt(List<String> missing, String receiptId, Invocation invocation, Receivers receivers) {
        JsonNode receipt = administrator("/v1/receipts/" + receiptId);
        int calls = receivers.calls(invocation.text());
        switch (receipt.path("status").asText()) {
            case "succeeded" -> {
                if (calls != 1 || !receipt.at("/output/parts/0/text").asText().equals(invocation.text())) {
                    missing.add(id + " invoked " + invocation + ", received " + calls + " times: " + receipt);
                }
                return true;
            }
            case "failed" -> {
                // Its agent may be blocked or gone by now.
                if (!invocation.isAsynchronous()) {
                    missing.add(id + " invoked " + invocation + ": " + receipt);
                }
                return true;
            }
            case "accepted", "running" -> {
                if (!invocation.isAsynchronous()) {
                    missing.add(id + " invoked " + invocation + ": " + receipt);
                }
                return false;
            }
            default -> {
                missing.add(id + " has the receipt " + receiptId + ": " + receipt);
                return true;
            }
        }
    }

    /** Acknowledged invocations that are not over. @param killed those that run since before are left out: a kill interrupted them */
    synchronized List<String> unfinished(Receivers receivers, Instant killed) {
        missing(false, receivers);
        return invocations.keySet().stream()
                .filter(receiptId -> !verified.contains(receiptId))
                .map(receiptId -> administrator("/v1/receipts/" + receiptId))
                .filter(receipt -> !receipt.path("status").asText().equals("running")
                        || !Instant.parse(receipt.path("created_at").asText()).isBefore(killed))
                .map(JsonNode::toString)
                .toList();
    }

    /** The outcomes that are not measured, or measured twice. */
    synchronized List<String> unmeasured() {
        JsonNode samples = administrator("/api/v1/agents/" + id + "/health").path("samples");
        return samples.path("self").asLong() == reported
                ? List.of()
                : List.of(id + " reported " + reported + " outcomes: " + samples);
    }

    synchronized List<Lease> leases() {
        return List.copyOf(leases.values());
    }

    synchronized long registrations() {
        return registrations;
    }

    synchronized long departures() {
        return departures;
    }

    synchronized boolean isBlocked() {
        return isBlocked;
    }

    private Answer call(String method, String path, String body) {
        return registry.call(method, "/api/v1/agents/" + id + path, key, body);
    }

    private JsonNode administrator(String path) {
        return registry.call("GET", path, KilledRegistry.ADMINISTRATOR, "").json();
    }

    private void require(List<String> missing, JsonNode found, String field, String expected) {
        if (!found.path(field).asText().equals(expected)) {
            missing.add(id + " has " + field + " " + expected + ": " + found);
        }
    }

    private void expectEqual(String what, long expected, long found) {
        if (expected != found) {
            problems.add(id + ": " + what + " is " + found + ", not " + expected);
        }
    }

    /** Checks the first answer; a repeated request may be answered that it was done already. */
    private void expectFirst(Answer answer, int status) {
        if (unanswered.isEmpty()) {
            expect(answer, status);
        }
    }

    private void expect(Answer answer, int status) {
        if (answer.status() != status) {
            problems.add(id + ": " + status + " was expected: " + answer);
        }
    }
}
