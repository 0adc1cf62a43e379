package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The measurement of a separate system with agents that report outcomes. */
final class MeasurementHarness implements AutoCloseable {

    /** Of a registration: a window of an hour, whose slices are two minutes long. */
    static final String ONE_HOUR = ",\"expectations\":{\"window_seconds\":3600}";

    private static final IntFunction<Counts<MeasurementResult>> NO_WORKERS = shard -> {
        throw new IllegalStateException("so many are due in shard " + shard);
    };

    private final TestSystem system = new TestSystem();
    private final ExecutorService threads = Executors.newFixedThreadPool(8, DaemonThreads.named("measurement"));
    private final ExecutorService calls = Executors.newCachedThreadPool(DaemonThreads.named("measurement-worker"));
    private final Supplier<Map<String, Object>> measurement = through(system.dynamoDb());
    private final AtomicInteger batches = new AtomicInteger();

    TestSystem system() {
        return system;
    }

    Instant now() {
        return system.clock().instant();
    }

    /** Another measurement of the same system's agents, but not of the registry itself, using the tables through another client. */
    Supplier<Map<String, Object>> through(DynamoDbClient dynamoDb) {
        MeasurementPass pass = pass(dynamoDb);
        return () -> Counts.byName(MeasurementResult.class, pass.run(1_000, () -> true, NO_WORKERS));
    }

    /** A pass over the same system, using the tables through another client. */
    MeasurementPass pass(DynamoDbClient dynamoDb) {
        return pass(dynamoDb, threads);
    }

    /** A pass likewise, with its own threads, as another function has. */
    MeasurementPass pass(DynamoDbClient dynamoDb, Executor executor) {
        return pass(system.databaseThrough(dynamoDb), executor);
    }

    /** A pass over this database. */
    MeasurementPass pass(Database database) {
        return pass(database, threads);
    }

    private MeasurementPass pass(Database database, Executor executor) {
        RegistryMonitor registry =
                new RegistryMonitor(new SweepStateStore(database), new OutcomeStore(database), system.clock());
        return new MeasurementPass(
                new DueStore(database),
                new HealthComputation(database, registry, system.clock()),
                executor,
                calls,
                system.log(),
                system.clock());
    }

    TestAgent agent(String id, String more) {
        TestAgent agent = new TestAgent(system, id);
        assertThat(agent.register(more).status()).isEqualTo(201);
        return agent;
    }

    /** Changes the default window as an administrator does, and waits until no cache holds the old value. */
    void configureDefaultWindow(int seconds) {
        ConfigurationStore store = new ConfigurationStore(system.database());
        store.replace(
                store.current(), RuntimeConfiguration.DEFAULT.with(RuntimeSettings.DEFAULT_WINDOW_SECONDS, seconds));
        system.clock().advanceSeconds(60);
    }

    /** Computes all due agents; returns the figures of the run. */
    Map<String, Object> measure() {
        return measurement.get();
    }

    /** Advances the clock and computes all due agents. */
    Map<String, Object> measureAfter(Duration time) {
        system.clock().advance(time);
        return measure();
    }

    /** Advances the clock minute by minute; in each the agent sends a heartbeat and a measurement runs. */
    void passMinutes(int minutes, TestAgent agent) {
        for (int i = 0; i < minutes; i++) {
            system.clock().advanceSeconds(60);
            agent.sendHeartbeat();
            measure();
        }
    }

    /** Reports successes and failures of this time, each with this latency. */
    void report(TestAgent agent, int successes, int failures, double latencyMs) {
        report(agent, successes, failures, latencyMs, now());
    }

    /** Reports likewise, with another time. */
    void report(TestAgent agent, int successes, int failures, double latencyMs, Instant at) {
        TestApi.Response answer = system.api()
                .post("/api/v1/agents/" + agent.id() + "/outcomes")
                .key(TestSystem.AGENT_KEY)
                .body(batch("batch-" + batches.incrementAndGet(), successes, failures, latencyMs, at))
                .send();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(202);
    }

    static String batch(String batchId, int successes, int failures, double latencyMs, Instant at) {
        String outcomes = IntStream.range(0, successes + failures)
                .mapToObj(i -> "{\"result\":\"" + (i < successes ? "success" : "failure") + "\",\"latency_ms\":"
                        + latencyMs + ",\"occurred_at\":\"" + at + "\"}")
                .collect(Collectors.joining(","));
        return "{\"batch_id\":\"" + batchId + "\",\"outcomes\":[" + outcomes + "]}";
    }

    /** The stored health of an agent. */
    AgentHealth health(TestAgent agent) {
        return new HealthStore(system.database())
                .find(agent.id(), true)
                .orElseThrow()
                .health()
                .orElseThrow();
    }

    HealthStatus status(TestAgent agent) {
        return health(agent).status();
    }

    /** The health events of an agent, oldest first, such as {@code unknown->healthy}. */
    List<String> statusChanges(TestAgent agent) {
        return events(agent, "agent.health").stream()
                .map(e -> e.get("previous_status").textValue() + "->"
                        + e.get("new_status").textValue())
                .toList();
    }

    /** The score events of an agent, oldest first, such as {@code Inactive->Healthy}. */
    List<String> scoreChanges(TestAgent agent) {
        return events(agent, "agent.score").stream()
                .map(e -> e.get("previous_state").textValue() + "->"
                        + e.get("new_state").textValue())
                .toList();
    }

    /** The details of an agent's events of one type, oldest first. */
    List<JsonNode> events(TestAgent agent, String type) {
        return agent.events().stream()
                .filter(e -> e.get("type").textValue().equals(type))
                .toList();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        calls.shutdownNow();
        system.close();
    }
}
