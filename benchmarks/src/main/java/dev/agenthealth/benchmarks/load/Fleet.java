package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The agents that a measurement registers at a system, and their requests. Thread-safe. */
final class Fleet {

    /** The number of roles. Agents are divided evenly among them. */
    static final int ROLES = 100;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunningSystem system;
    private final String prefix;
    private final String key;
    private final AtomicInteger next = new AtomicInteger();

    /** @param prefix the prefix of the agents' ids, and the name of their key */
    Fleet(RunningSystem system, String prefix) {
        this.system = system;
        this.prefix = prefix;
        this.key = system.dialect() == Dialect.AGENT_HEALTH ? newKey() : system.key();
    }

    /** Returns requests that each register another agent. */
    Supplier<byte[]> registrations() {
        return () -> {
            int number = next.getAndIncrement();
            return system.dialect().registration(id(number), number, key);
        };
    }

    /** Returns the requests that precede the first heartbeats, one for each agent; empty requests if none is needed. */
    Supplier<byte[]> preparations() {
        AtomicInteger number = new AtomicInteger();
        return () -> system.dialect().preparation(number.getAndIncrement());
    }

    /** Returns heartbeats of registered agents, chosen at random. */
    Supplier<byte[]> heartbeats() {
        return () -> system.dialect().heartbeat(anyId(), Instant.now(), key);
    }

    byte[] heartbeat(int number) {
        return system.dialect().heartbeat(id(number), Instant.now(), key);
    }

    /**
     * Returns changes of status, an even number. Half of them begin the drain of an agent; the others register the agent again, which makes
     * it active. An administrator begins the drain, because a drain by the agent itself would end within the measurement.
     */
    Supplier<byte[]> statusChanges(int number) {
        AtomicInteger change = new AtomicInteger();
        return () -> {
            int current = change.getAndIncrement();
            int agent = current % (number / 2);
            return current < number / 2
                    ? Request.patch(
                            "/api/v1/agents/" + id(agent) + "/status", system.key(), "{\"status\":\"draining\"}")
                    : system.dialect().replacement(id(agent), agent, key);
        };
    }

    /** Returns a request that registers an agent with these thresholds. */
    byte[] withThresholds(int number, int intervalSeconds, int unhealthyAfterSeconds) {
        return Request.post(
                "/api/v1/agents",
                key,
                "{\"agent_id\":\"" + id(number) + "\",\"heartbeat_config\":{\"interval_seconds\":" + intervalSeconds
                        + ",\"unhealthy_after_seconds\":" + unhealthyAfterSeconds + ",\"dead_after_seconds\":3600}}");
    }

    /** Returns a request that registers a live agent anew. */
    byte[] replacement(int number) {
        return system.dialect().replacement(id(number), number, key);
    }

    /** Returns batches of outcomes of one agent each; no batch is sent twice. */
    Supplier<byte[]> outcomes(int perBatch) {
        String outcomes = "{\"result\":\"success\",\"latency_ms\":120},".repeat(perBatch - 1)
                + "{\"result\":\"failure\",\"error_type\":\"timeout\",\"latency_ms\":900}";
        AtomicInteger batch = new AtomicInteger();
        return () -> Request.post(
                "/api/v1/agents/" + anyId() + "/outcomes",
                key,
                "{\"batch_id\":\"b" + System.nanoTime() + "-" + batch.incrementAndGet() + "\",\"outcomes\":[" + outcomes
                        + "]}");
    }

    Supplier<byte[]> healthDocuments() {
        return () -> Request.get("/agents/" + anyId() + "/.well-known/agent-health", "");
    }

    private String anyId() {
        return id(ThreadLocalRandom.current().nextInt(next.get()));
    }

    private String id(int number) {
        return prefix + "-" + number;
    }

    private String newKey() {
        try (Connection connection = new Connection(system.url())) {
            Connection.Response answer = connection
                    .send(Request.post(
                            "/v1/admin/keys", system.key(), "{\"role\":\"agent\",\"name\":\"" + prefix + "\"}"))
                    .successful();
            return JSON.readTree(answer.body()).path("api_key").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
