package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.census.Census;
import dev.agenthealth.testkit.CrashingDynamoDb;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pools below their minimum: told once, by whoever comes first, and again only after they recovered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-32")
@Tag("SYS-02")
class PoolWatchTest {

    private final SweepHarness harness = new SweepHarness();
    private int agents;

    @BeforeAll
    void open() {
        harness.startAfresh();
    }

    @BeforeEach
    void declareAPoolOfTwo() {
        harness.startAfresh();
        declare("agents: {watched: {pool: {min_instances: 2}}, free: {pool: {min_instances: 0}}}");
    }

    @AfterAll
    void close() {
        harness.close();
    }

    @Test
    void a_pool_that_falls_is_told_once_and_again_after_it_recovered() {
        TestAgent first = member();
        TestAgent second = member();
        harness.sweep();
        assertThat(told()).isEmpty();

        second.deregister();
        assertThat(harness.sweep()).containsEntry("pools_below_minimum", 1L);
        assertThat(told()).singleElement().satisfies(event -> {
            assertThat(event.get("type").textValue()).isEqualTo("pool.below_minimum");
            assertThat(event.get("role_id").textValue()).isEqualTo("watched");
            assertThat(event.get("active_instances").intValue()).isEqualTo(1);
            assertThat(event.get("min_instances").intValue()).isEqualTo(2);
            assertThat(event.get("severity").textValue()).isEqualTo("warning");
            assertThat(event.get("timestamp").textValue())
                    .isEqualTo(harness.now().toString());
            assertThat(event.get("event_id").textValue()).isNotEmpty();
        });
        first.deregister();
        assertThat(harness.sweep()).containsEntry("pools_below_minimum", 0L);
        assertThat(told()).as("falling further is not falling again").hasSize(1);

        member();
        TestAgent fourth = member();
        harness.sweep();
        harness.system().clock().advanceSeconds(1);
        assertThat(told()).hasSize(1);
        fourth.drain(harness.system().api());
        harness.sweep();
        assertThat(told()).as("who drains is not active").hasSize(2);
    }

    @Test
    void silence_is_noticed_as_well() {
        List<TestAgent> pool = List.of(member(), member());
        harness.passTime(60, () -> pool.forEach(TestAgent::beat));
        harness.passTime(150, () -> pool.get(0).beat());
        assertThat(told()).hasSize(1);
    }

    @Test
    void a_deaf_registry_says_nothing_about_pools() {
        List<TestAgent> pool = List.of(member(), member());
        harness.passTime(60, () -> pool.forEach(TestAgent::beat));
        harness.door().goDeaf();
        pool.get(0).deregister();
        harness.passTime(600);
        assertThat(harness.registryEvents("registry.blackout")).isNotEmpty();
        assertThat(told().size()).isLessThanOrEqualTo(1);
        int before = told().size();
        harness.passTime(300);
        assertThat(told()).hasSize(before);
    }

    @Test
    void a_pool_that_is_no_longer_declared_is_forgotten() {
        harness.sweep();
        assertThat(told()).hasSize(1);
        declare("agents: {watched: }");
        harness.sweep();
        harness.system().clock().advanceSeconds(1);
        declare("agents: {watched: {pool: {min_instances: 1}}}");
        harness.sweep();
        assertThat(told()).hasSize(2);
    }

    @Test
    void many_sweeps_at_once_tell_once() {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Sweep> sweeps = List.of(
                harness.sweepThrough(harness.system().dynamoDb()),
                harness.sweepThrough(harness.system().dynamoDb()),
                harness.sweepThrough(harness.system().dynamoDb()));
        for (int i = 1; i <= 3; i++) {
            harness.system().clock().advanceSeconds(1);
            List<CompletableFuture<Map<String, Object>>> passes = sweeps.stream()
                    .map(sweep -> CompletableFuture.supplyAsync(() -> SweepHarness.run(sweep), threads))
                    .toList();
            long told = passes.stream()
                    .mapToLong(pass -> (Long) pass.join().get("pools_below_minimum"))
                    .sum();
            assertThat(told).isEqualTo(1);
            assertThat(told()).hasSize(i);
            List<TestAgent> pool = List.of(member(), member());
            harness.sweep();
            pool.forEach(TestAgent::deregister);
        }
        threads.shutdown();
    }

    @ParameterizedTest
    @EnumSource(CrashingDynamoDb.Way.class)
    @Tag("exhaustive")
    void a_sweep_that_ends_in_the_middle_tells_nothing_twice_and_nothing_never(CrashingDynamoDb.Way way) {
        for (int fatal = 1; fatal <= 4; fatal++) {
            declareAPoolOfTwo();
            List<TestAgent> pool = List.of(member(), member());
            harness.sweep();
            harness.system().clock().advanceSeconds(1);
            pool.get(0).deregister();
            CrashingDynamoDb crashing = new CrashingDynamoDb(harness.system().dynamoDb(), fatal, way);
            try {
                SweepHarness.run(harness.sweepThrough(crashing));
            } catch (RuntimeException | CrashingDynamoDb.Crash e) {
                assertThat(crashing.hasGoneWrong()).isTrue();
            }
            harness.sweep();
            harness.sweep();
            assertThat(told()).as("%s at write %d", way, fatal).hasSize(1);
        }
    }

    @Test
    void portions_count_for_the_sweep() {
        PoolCount left = new PoolCount(Map.of(1L, 2L, 1L << 47, 5L));
        PoolCount right = new PoolCount(Map.of(1L, 3L));
        FleetReading reading = new FleetReading(FleetReading.EMPTY.count(), 0, left, Census.EMPTY);
        assertThat(PortionMessages.reading(PortionMessages.of(reading)).pools()).isEqualTo(left);
        assertThat(left.plus(right).of(1)).isEqualTo(5);
    }

    private List<JsonNode> told() {
        return harness.registryEvents("pool.below_minimum");
    }

    private void declare(String workflow) {
        Response response = harness.system()
                .api()
                .put("/api/v1/workflows/pools")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body(workflow)
                .send();
        assertThat(response.status()).as(response.text()).isIn(200, 201);
    }

    private TestAgent member() {
        TestAgent agent = new TestAgent(harness.system(), "member-" + agents++);
        assertThat(harness.system()
                        .api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"" + agent.id() + "\",\"role_id\":\"watched\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        return agent;
    }
}
