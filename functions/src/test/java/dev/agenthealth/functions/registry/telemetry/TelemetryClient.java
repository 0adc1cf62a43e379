package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;

/** Sends spans as an exporter does, for tests. */
final class TelemetryClient {

    static final String PATH = "/v1/otlp/v1/traces";
    static final String MAPPINGS = "/api/v1/telemetry/mappings";
    static final String SERVICE = "checkout";

    private final TestSystem system;
    private int agents;

    TelemetryClient(TestSystem system) {
        this.system = system;
    }

    /** Advances the clock to the middle of a slice of half an hour; returns the time. */
    Instant startInTheMiddleOfASlice() {
        system.clock().advanceSeconds(900 + 1_800 - system.clock().instant().getEpochSecond() % 1_800);
        return system.clock().instant();
    }

    /** A new agent that the spans of a service of its own mean. */
    TestAgent newAgent() {
        TestAgent agent = TestAgent.registered(system, "agent-" + ++agents);
        map(service(agent), "", agent.id());
        return agent;
    }

    static String service(TestAgent agent) {
        return "service-of-" + agent.id();
    }

    /** Maps a name for {@link TestSystem#AGENT_KEY}; an empty name of the agent stands for all. */
    Response map(String service, String name, String agentId) {
        return map(service, name, agentId, "");
    }

    /**
     * Maps a name.
     *
     * @param more further fields; begins with a comma or is empty
     */
    Response map(String service, String name, String agentId, String more) {
        return system.api()
                .put(MAPPINGS)
                .key(TestSystem.AGENT_KEY)
                .body("{\"service_name\":\"" + service + "\""
                        + (name.isEmpty() ? "" : ",\"agent_name\":\"" + name + "\"") + ",\"agent_id\":\"" + agentId
                        + "\"" + more + "}")
                .send();
    }

    /** Sends spans of the agent's service. */
    Response send(TestAgent agent, String... spans) {
        return send(TestSpans.json(service(agent), spans));
    }

    /** Sends JSON with {@link TestSystem#AGENT_KEY}. */
    Response send(String json) {
        return json(TestSystem.AGENT_KEY).body(json).send();
    }

    Request json(String key) {
        return system.api().post(PATH).key(key).header("content-type", "application/json");
    }

    Request protobuf() {
        return system.api().post(PATH).key(TestSystem.AGENT_KEY).header("content-type", "application/x-protobuf");
    }

    StoredOutcomes stored(TestAgent agent) {
        return new StoredOutcomes(system, agent.id());
    }

    long executions(TestAgent agent) {
        return stored(agent).total().executions();
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
