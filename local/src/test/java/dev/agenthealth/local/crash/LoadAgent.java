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
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An agent of the load, and what the registry acknowledged to it. A request without an answer is repeated until it has one; a synchronous
 * invocation is not. Thread-safe: one step at a time, and heartbeats beside them.
 */
final class LoadAgent {

    static final Duration INTERVAL = Duration.ofSeconds(2);
    static final Duration UNHEALTHY_AFTER = Duration.ofSeconds(5);
    static final Duration DEAD_AFTER = Duration.ofSeconds(10);

    private final int number;
    private final int agents;
    private final String id;
    private final String key;
    private final String endpoint;
    private final KilledRegistry registry;
    private final Random random;

    /** When heartbeats were sent, by when they were answered. */
    private final NavigableMap<Instant, Instant> heard = new ConcurrentSkipListMap<>();

    private volatile Instant lastHeartbeat = Instant.MIN;
    private volatile boolean isRegistered;
    private volatile boolean isRegistering;
    private volatile boolean isSilent;

    private final Map<String, Lease> leases = new LinkedHashMap<>();
    private final Map<String, String> results = new LinkedHashMap<>();
    private final Map<String, String> accepted = new LinkedHashMap<>();
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
    record Lease(String intentId, JsonNode json, boolean isActive) {

        String id() {
            return json.path("id").asText();
        }

        long token() {
            return json.path("fencing_token").asLong();
        }

        String path() {
            return "/api/v1/intents/" + intentId + "/leases/" + id();
        }
    }

    LoadAgent(int number, int agents, String key, String endpoint, KilledRegistry registry, Random random) {
        this.number = number;
        this.agents = agents;
        this.id = "agent-" + number;
        this.key = key;
        this.endpoint = endpoint;
        this.registry = registry;
        this.random = random;
    }

    String id() {
        return id;
    }

    void endHeartbeats() {
        isSilent = true;
    }

    /** Also while its registration has no answer: otherwise an agent that is registered would die where a restart takes long. */
    void heartbeat() {
        if ((isRegistered || isRegistering) && !isSilent) {
            Instant sent = Instant.now();
            Answer answer = call("POST", "/heartbeat", "{\"status\":\"active\",\"client_timestamp\":\"" + sent + "\"}");
            if (answer.status() == 200) {
                heard.put(Instant.now(), sent);
                lastHeartbeat = time(answer.json(), "server_timestamp");
            }
        }
    }

    /** The time while the registry answered since the last heartbeat that was acknowledged by then was sent; long where none was. */
    Duration silenceAt(Instant moment) {
        return Optional.ofNullable(heard.lowerEntry(moment))
                .map(last -> registry.upWithin(last.getValue(), moment))
                .orElse(DEAD_AFTER);
    }

    /** Sends one more request, or repeats one without an answer. */
    synchronized void step() {
        BooleanSupplier request = unanswered.orElseGet(this::next);
        unanswered = request.getAsBoolean() ? Optional.empty() : Optional.of(request);
    }

    /** Repeats what has no answer, and registers where the agent is not registered; false where that is not done yet. */
    synchronized boolean settle() {
        if (unanswered.isPresent() || !isRegistered) {
            step();
        }
        return unanswered.isEmpty() && isRegistered;
    }

    private BooleanSupplier next() {
        if (!isRegistered) {
            return this::register;
        }
        String name = id + "-" + ++requests;
        String peer = "/v1/agents/agent-" + random.nextInt(agents);
        int choice = random.nextInt(100);
        if (choice < 30) {
            return report(name, 1 + random.nextInt(5));
        } else if (choice < 60) {
            return held.isEmpty() ? this::acquire : random.nextBoolean() ? renew(held.get()) : release(held.get());
        } else if (choice < 75) {
            return () -> invoke(peer + "/invoke", name, 200, results) || true;
        } else if (choice < 90) {
            return () -> invoke(peer + "/invoke-async", name, 202, accepted);
        } else if (choice < 95 && held.isEmpty()) {
            return until(204, () -> call("DELETE", "", ""), answer -> {
                isRegistered = false;
                lastHeartbeat = Instant.MIN;
                departures++;
            });
        }
        return choice < 95 || number % 5 > 0 || isBlocked ? () -> true : block();
    }

    /** A request that is repeated until it is answered; a repeated one may be answered that it was done already. */
    private BooleanSupplier until(int status, Supplier<Answer> request, Consumer<JsonNode> acknowledged) {
        return () -> {
            Answer answer = request.get();
            if (answer.isFinal()) {
                require(problems, answer.status() == status || unanswered.isPresent(), status, answer);
                acknowledged.accept(answer.json());
            }
            return answer.isFinal();
        };
    }

    private boolean register() {
        ObjectNode body = Json.object().put("agent_id", id).put("endpoint", endpoint);
        body.putObject("heartbeat_config")
                .put("interval_seconds", INTERVAL.toSeconds())
                .put("unhealthy_after_seconds", UNHEALTHY_AFTER.toSeconds())
                .put("dead_after_seconds", DEAD_AFTER.toSeconds());
        Instant sent = Instant.now();
        isRegistering = true;
        Answer answer = registry.call("POST", "/api/v1/agents", key, Json.text(body));
        if (answer.status() == 409 && unanswered.isPresent()) {
            answer = call("GET", "", "");
        }
        if (answer.isFinal()) {
            registrations++;
            require(problems, answer.json().path("incarnation").asLong() == registrations, registrations, answer);
            heard.put(Instant.now(), sent);
            isRegistered = true;
            isRegistering = false;
        }
        return answer.isFinal();
    }

    /** Of two agents with one intent, one may hold the lease. */
    private boolean acquire() {
        String intentId = "intent-" + number / 2;
        String body = "{\"agent_id\":\"" + id + "\",\"scope\":\"write\",\"duration_seconds\":3600}";
        Answer answer = registry.call("POST", "/api/v1/intents/" + intentId + "/leases", key, body);
        if (answer.status() == 201 || answer.status() == 200) {
            put(new Lease(intentId, answer.json(), true));
        } else if (answer.isFinal()) {
            require(problems, answer.status() == 409, 409, answer);
        }
        return answer.isFinal();
    }

    private BooleanSupplier renew(Lease lease) {
        return until(
                200,
                () -> registry.call("PATCH", lease.path(), key, "{\"duration_seconds\":7200}"),
                json -> put(new Lease(lease.intentId(), json, true)));
    }

    private BooleanSupplier release(Lease lease) {
        return until(
                204,
                () -> registry.call("DELETE", lease.path(), key, ""),
                json -> put(new Lease(lease.intentId(), lease.json(), false)));
    }

    private void put(Lease lease) {
        leases.put(lease.id(), lease);
        verified.remove(lease.id());
        held = Optional.of(lease).filter(Lease::isActive);
    }

    private BooleanSupplier report(String batchId, int outcomes) {
        ObjectNode body = Json.object().put("batch_id", batchId);
        for (int i = 0; i < outcomes; i++) {
            body.withArray("outcomes").addObject().put("result", "success").put("latency_ms", 5);
        }
        return until(202, () -> call("POST", "/outcomes", Json.text(body)), json -> reported += outcomes);
    }

    /** Peers may be blocked, gone or busy. */
    private boolean invoke(String path, String text, int status, Map<String, String> acknowledged) {
        String body = "{\"message\":\"" + text + "\"}";
        Answer answer = registry.call("POST", path, key, body, "idempotency-key", "\"" + text + "\"");
        require(problems, answer.status() != 502 && answer.status() != 504, status, answer);
        if (answer.status() == status) {
            acknowledged.put(answer.json().path("receipt_id").asText(), text);
        }
        return answer.status() != 0;
    }

    private BooleanSupplier block() {
        String path = "/v1/admin/agents/" + id + "/block";
        return until(
                200,
                () -> registry.administrator("POST", path, "{\"reason\":\"test\"}"),
                json -> isBlocked = json.path("blocked").asBoolean());
    }

    /**
     * The acknowledged writes that the registry does not answer now, or answers otherwise.
     *
     * @param all false for what is new since the last call
     */
    synchronized List<String> missing(boolean all, Receivers receivers) {
        List<String> missing = new ArrayList<>(problems);
        Instant heartbeat = lastHeartbeat;
        JsonNode agent = call("GET", "", "").json();
        require(missing, agent.path("incarnation").asLong() == registrations, registrations, agent);
        require(missing, Set.of("active", "unhealthy", "dead").contains(text(agent, "status")), "registered", agent);
        require(missing, !heartbeat.isAfter(time(agent, "last_heartbeat_at")), heartbeat, agent);
        JsonNode trust = registry.get("/v1/trust/agents/" + id);
        require(missing, text(trust, "blocked").equals("" + isBlocked), isBlocked, trust);
        if (all) {
            verified.clear();
        }
        for (Lease lease : leases.values()) {
            if (verified.add(lease.id())) {
                JsonNode found = registry.get(lease.path());
                String status = !lease.isActive() ? "released" : isSilent ? "expired" : "active";
                boolean isSame = text(found, "status").equals(status);
                for (String field : List.of("agent_id", "fencing_token", "expires_at")) {
                    isSame &= found.path(field).equals(lease.json().path(field));
                }
                require(missing, isSame, lease, found);
            }
        }
        results.forEach((receiptId, text) -> {
            if (verified.add(receiptId)) {
                JsonNode receipt = registry.get("/v1/receipts/" + receiptId);
                require(missing, isResult(receipt, text, receivers), text, receipt);
            }
        });
        return missing;
    }

    /** Invocations whose agent did answer, as the receipt has it. */
    private static boolean isResult(JsonNode receipt, String text, Receivers receivers) {
        return text(receipt, "status").equals("succeeded")
                && receipt.at("/output/parts/0/text").asText().equals(text)
                && receivers.calls(text) == 1;
    }

    /**
     * Invocations that were accepted and are not over. Failed ones are: peers leave, are blocked and are interrupted.
     *
     * @param killed those that run since before are left out, since a kill interrupted them
     */
    synchronized List<String> unfinished(Receivers receivers, Instant killed) {
        List<String> unfinished = new ArrayList<>();
        accepted.entrySet().removeIf(invocation -> {
            JsonNode receipt = registry.get("/v1/receipts/" + invocation.getKey());
            boolean isOver = text(receipt, "status").equals("failed")
                    || isResult(receipt, invocation.getValue(), receivers)
                    || text(receipt, "status").equals("running")
                            && time(receipt, "created_at").isBefore(killed);
            require(unfinished, isOver, invocation, receipt);
            return isOver;
        });
        return unfinished;
    }

    /** Outcomes that are not measured, or measured twice. */
    synchronized List<String> unmeasured() {
        List<String> unmeasured = new ArrayList<>();
        JsonNode samples = registry.get("/api/v1/agents/" + id + "/health").path("samples");
        require(unmeasured, samples.path("self").asLong() == reported, reported, samples);
        return unmeasured;
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

    private void require(List<String> problems, boolean isRight, Object expected, Object found) {
        if (!isRight) {
            problems.add(id + ": " + expected + " was expected: " + found);
        }
    }

    private static String text(JsonNode json, String field) {
        return json.path(field).asText();
    }

    /** {@link Instant#EPOCH} without one. */
    private static Instant time(JsonNode json, String field) {
        return json.hasNonNull(field) ? Instant.parse(text(json, field)) : Instant.EPOCH;
    }
}
