package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** The sweep of a separate system, with a public API that can drop heartbeats and a clock that advances tick by tick. */
public final class SweepHarness implements AutoCloseable {

    /** Seconds between two passes. */
    public static final int TICK = 30;

    /** Of a registration: unhealthy after 20 s and dead after 40 s, which keeps tests short. */
    static final String SHORT_LIVED =
            ",\"heartbeat_config\":{\"interval_seconds\":10,\"unhealthy_after_seconds\":20,\"dead_after_seconds\":40}";

    private final TestSystem system = new TestSystem();
    private final TestPublicApi publicApi = new TestPublicApi(system);
    private Sweep sweep = sweepThrough(system.dynamoDb());

    public TestSystem system() {
        return system;
    }

    TestPublicApi publicApi() {
        return publicApi;
    }

    public Instant now() {
        return system.clock().instant();
    }

    /** Another sweep of the same fleet, using the tables through another client. */
    public Sweep sweepThrough(DynamoDbClient dynamoDb) {
        return new Sweep(wiring(dynamoDb, Map.of()), publicApi);
    }

    /** Another sweep likewise, whose shards are invoked through a client. */
    Sweep sweepThrough(DynamoDbClient dynamoDb, Supplier<LambdaClient> lambda) {
        Wiring usual = wiring(dynamoDb, Map.of());
        return new Sweep(usual.toBuilder().lambda(lambda).build(), publicApi);
    }

    /** The wiring of a sweep of one pass a tick, with {@code more} in its environment. */
    Wiring wiring(DynamoDbClient dynamoDb, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.putIfAbsent("SWEEP_PERIOD_SECONDS", Integer.toString(TICK));
        Wiring usual = system.wiring(environment);
        return usual.toBuilder().dynamoDb(() -> dynamoDb).build();
    }

    /** Puts a configuration in force, as an administrator does. */
    void configure(int passesPerMinute, int fanOutAgents, MassSilenceRule massSilence) {
        ConfigurationStore store = new ConfigurationStore(system.database());
        store.replace(
                store.current(),
                RuntimeConfiguration.DEFAULT
                        .with(RuntimeSettings.SWEEP_PASSES_PER_MINUTE, passesPerMinute)
                        .with(RuntimeSettings.SWEEP_FAN_OUT_AGENTS, fanOutAgents)
                        .with(massSilence));
    }

    /** Runs one pass now and returns its figures. */
    public Map<String, Object> sweep() {
        return run(sweep);
    }

    /** Runs one pass of this sweep now and returns its figures. */
    public static Map<String, Object> run(Sweep sweep) {
        List<Map<String, Object>> passes = sweep.passes(TestContext.of("SweepFunction"));
        assertThat(passes).hasSize(1);
        return passes.get(0);
    }

    /** Uses another sweep for the passes of {@link #passTime}. */
    void use(Sweep other) {
        sweep = other;
    }

    /** Advances the clock, with a pass at every tick and the last pass at the end. */
    public void passTime(long seconds) {
        passTime(seconds, () -> {});
    }

    /** Advances the clock likewise; {@code atEachTick} runs before each pass. */
    public void passTime(long seconds, Runnable atEachTick) {
        for (long left = seconds; left > 0; left -= TICK) {
            system.clock().advanceSeconds(Math.min(TICK, left));
            atEachTick.run();
            sweep();
        }
    }

    /** Advances the clock to the start of the next minute and runs a pass there. */
    void passToTheNextMinute() {
        long into = Math.floorMod(now().toEpochMilli(), 60_000L);
        system.clock().advance(Duration.ofMillis(60_000 - into));
        sweep();
    }

    /** An agent that registers now, with default thresholds. */
    public TestAgent agent(String id) {
        return TestAgent.registered(system, id);
    }

    /** Registers {@code number} agents now. */
    List<TestAgent> agents(String prefix, int number) {
        return IntStream.range(0, number).mapToObj(i -> agent(prefix + i)).toList();
    }

    /** Agents like one that registers now with {@code more} and sends one heartbeat, made by copying its items. */
    List<TestAgent> fleet(String prefix, int number, String more) {
        TestAgent first = new TestAgent(system, prefix + 0);
        assertThat(first.register(more).status()).isEqualTo(201);
        first.sendHeartbeat("active", ",\"current_load\":2,\"tasks_in_progress\":[\"task-a\",\"task-b\"]");
        return copies(first, prefix, number);
    }

    /** Short-lived agents of another key likewise, with or without the heartbeat. */
    List<TestAgent> fleetOf(String key, String prefix, int number, boolean sendsHeartbeat) {
        system.addKey(key, Role.AGENT, Set.of());
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(key)
                        .body("{\"agent_id\":\"" + prefix + "0\"" + SHORT_LIVED + "}")
                        .send()
                        .status())
                .isEqualTo(201);
        TestAgent first = new TestAgent(system, prefix + 0);
        if (sendsHeartbeat) {
            assertThat(system.api()
                            .post(first.heartbeatPath())
                            .key(key)
                            .body("")
                            .send()
                            .status())
                    .isEqualTo(200);
        }
        return copies(first, prefix, number);
    }

    private List<TestAgent> copies(TestAgent first, String prefix, int number) {
        Map<String, AttributeValue> row = row(first.id());
        List<Map<String, AttributeValue>> items = items(
                TestTables.REGISTRY,
                item -> text(item, "pk").equals("A#" + first.id())
                        || text(item, "sk").equals(first.id()));
        List<WriteRequest> rows = new ArrayList<>();
        List<WriteRequest> copies = new ArrayList<>();
        for (int i = 1; i < number; i++) {
            String id = prefix + i;
            Map<String, AttributeValue> copy = copy(row, first.id(), id);
            copy.put("x", AttributeValue.fromS(text(row, "s") + Math.floorMod(id.hashCode(), 8)));
            rows.add(put(copy));
            items.forEach(item -> copies.add(put(copy(item, first.id(), id))));
        }
        write(TestTables.PULSES, rows);
        write(TestTables.REGISTRY, copies);
        return IntStream.range(0, number)
                .mapToObj(i -> new TestAgent(system, prefix + i))
                .toList();
    }

    /** Copies the row of an agent, and nothing else of it: {@code number} rows in all. */
    void copyRow(TestAgent first, String prefix, int number) {
        Map<String, AttributeValue> row = row(first.id());
        List<WriteRequest> rows = new ArrayList<>();
        for (int i = 1; i < number; i++) {
            Map<String, AttributeValue> copy = copy(row, first.id(), prefix + i);
            copy.put("x", AttributeValue.fromS(text(row, "s") + Math.floorMod((prefix + i).hashCode(), 8)));
            rows.add(put(copy));
        }
        write(TestTables.PULSES, rows);
    }

    private static Map<String, AttributeValue> copy(Map<String, AttributeValue> item, String from, String to) {
        Map<String, AttributeValue> copy = new HashMap<>();
        item.forEach((name, value) -> copy.put(
                name, value.s() == null ? value : AttributeValue.fromS(value.s().replace(from, to))));
        return copy;
    }

    private static WriteRequest put(Map<String, AttributeValue> item) {
        return WriteRequest.builder().putRequest(p -> p.item(item)).build();
    }

    private void write(String table, List<WriteRequest> requests) {
        for (int i = 0; i < requests.size(); i += 25) {
            List<WriteRequest> some = requests.subList(i, Math.min(i + 25, requests.size()));
            system.tables().dynamoDb().batchWriteItem(r -> r.requestItems(Map.of(table, some)));
        }
    }

    /** Blocks as an administrator does: {@code agents/ID} or {@code providers/ID}, with {@code more} in the body. */
    void block(String whom, String more) {
        assertThat(system.api()
                        .post("/v1/admin/" + whom + "/block")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"reason\":\"fraud\"" + more + "}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    /** Counts the agents that have this status. */
    static long in(LifecycleStatus status, List<TestAgent> agents) {
        return agents.stream().filter(agent -> agent.pulse().status() == status).count();
    }

    /** The registry and heartbeat functions, using the tables through another client. */
    TestApi apiThrough(DynamoDbClient dynamoDb) {
        Wiring wiring = wiring(dynamoDb, Map.of());
        return new TestApi(List.of(new RegistryFunction(wiring), new HeartbeatFunction(wiring)));
    }

    /** The database through another client. */
    Database databaseThrough(DynamoDbClient dynamoDb) {
        return Database.of(wiring(dynamoDb, Map.of()));
    }

    /** The details of the registry's own events of this type, oldest first. */
    List<JsonNode> registryEvents(String type) {
        return items(
                        TestTables.REGISTRY,
                        item -> text(item, "pk").equals("SYSTEM")
                                && text(item, "sk").startsWith("E#"))
                .stream()
                .map(item -> Json.stored(text(item, "detail")))
                .filter(detail -> detail.get("type").textValue().equals(type))
                .sorted(Comparator.comparing(detail -> detail.get("timestamp").textValue()))
                .toList();
    }

    /** The sweep's state item by its attributes; empty before the first pass. */
    Map<String, AttributeValue> state() {
        return system.tables()
                .dynamoDb()
                .getItem(r -> r.tableName(TestTables.REGISTRY)
                        .key(Map.of("pk", AttributeValue.fromS("SYSTEM"), "sk", AttributeValue.fromS("S")))
                        .consistentRead(true))
                .item();
    }

    /** The agents whose health is to be computed again. */
    Set<String> marked() {
        return marks().stream().map(item -> text(item, "pk").substring(2)).collect(Collectors.toSet());
    }

    /** Removes all marks, as if the health of all agents had been computed. */
    void settleMarks() {
        write(
                TestTables.REGISTRY,
                marks().stream()
                        .map(item -> delete(Map.of("pk", item.get("pk"), "sk", item.get("sk"))))
                        .toList());
    }

    /** The keys of all marks; their index holds nothing else. */
    private List<Map<String, AttributeValue>> marks() {
        return system
                .tables()
                .dynamoDb()
                .scanPaginator(r -> r.tableName(TestTables.REGISTRY).indexName("due"))
                .items()
                .stream()
                .toList();
    }

    /** The rows of the pulses table, canaries included. */
    public List<Map<String, AttributeValue>> rows() {
        return items(TestTables.PULSES, item -> true);
    }

    /** The row of one agent; empty where it has none. */
    Map<String, AttributeValue> row(String agentId) {
        return system.tables()
                .dynamoDb()
                .getItem(r -> r.tableName(TestTables.PULSES)
                        .key(Map.of("id", AttributeValue.fromS(agentId)))
                        .consistentRead(true))
                .item();
    }

    public List<Map<String, AttributeValue>> items(String table, Predicate<Map<String, AttributeValue>> wanted) {
        return system.tables().dynamoDb().scanPaginator(r -> r.tableName(table).consistentRead(true)).items().stream()
                .filter(wanted)
                .toList();
    }

    public static String text(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null ? "" : value.s();
    }

    /** Removes all agents and the sweep's state, accepts heartbeats again and runs a first pass. */
    public void startAfresh() {
        write(
                TestTables.REGISTRY,
                items(
                                TestTables.REGISTRY,
                                item -> !text(item, "pk").startsWith("K#")
                                        && !text(item, "pk").equals("KEYS"))
                        .stream()
                        .map(item -> delete(Map.of("pk", item.get("pk"), "sk", item.get("sk"))))
                        .toList());
        write(
                TestTables.PULSES,
                rows().stream().map(row -> delete(Map.of("id", row.get("id")))).toList());
        publicApi.acceptHeartbeats();
        publicApi.takeCanaryIds();
        sweep = sweepThrough(system.dynamoDb());
        sweep();
    }

    private static WriteRequest delete(Map<String, AttributeValue> key) {
        return WriteRequest.builder().deleteRequest(d -> d.key(key)).build();
    }

    @Override
    public void close() {
        system.close();
    }
}
