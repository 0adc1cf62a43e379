package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.WriteFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Pools below their minimum: one event per episode, also with concurrent sweeps. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-32")
@Tag("SYS-02")
class PoolMonitorTest {

    @AutoClose
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

    @Test
    void a_pool_below_its_minimum_is_published_once_for_each_number_that_is_left() {
        TestAgent first = member();
        TestAgent second = member();
        harness.sweep();
        assertThat(poolEvents()).isEmpty();

        second.deregister();
        assertThat(harness.sweep()).containsEntry("pools_below_minimum", 1L);
        assertThat(poolEvents()).singleElement().satisfies(event -> {
            assertThat(event.get("type").textValue()).isEqualTo("pool.below_minimum");
            assertThat(event.get("role_id").textValue()).isEqualTo("watched");
            assertThat(event.get("active_instances").intValue()).isEqualTo(1);
            assertThat(event.get("min_instances").intValue()).isEqualTo(2);
            assertThat(event.get("severity").textValue()).isEqualTo("error");
            assertThat(event.get("timestamp").textValue()).isEqualTo(Timestamps.text(harness.now()));
            assertThat(event.get("event_id").textValue()).isNotEmpty();
        });
        assertThat(harness.sweep()).containsEntry("pools_below_minimum", 0L);
        harness.system().clock().advanceSeconds(1);
        first.deregister();
        assertThat(harness.sweep()).containsEntry("pools_below_minimum", 1L);
        assertThat(poolEvents()).as("a further loss").hasSize(2).last().satisfies(event -> {
            assertThat(event.get("active_instances").intValue()).isZero();
            assertThat(event.get("severity").textValue()).isEqualTo("critical");
        });
        member();
        harness.sweep();
        assertThat(poolEvents()).as("not recovered, and no further loss").hasSize(2);
        assertThat(recoveries()).isEmpty();

        TestAgent fourth = member();
        harness.sweep();
        harness.system().clock().advanceSeconds(1);
        assertThat(poolEvents()).hasSize(2);
        assertThat(recoveries()).hasSize(1);
        fourth.drain(harness.system().api());
        harness.sweep();
        assertThat(poolEvents()).as("a draining agent is not active").hasSize(3);
    }

    @Test
    void a_pool_that_recovers_is_published_once() {
        TestAgent only = member();
        harness.sweep();
        assertThat(poolEvents()).hasSize(1);
        assertThat(recoveries()).isEmpty();
        member();
        harness.system().clock().advanceSeconds(1);
        harness.sweep();
        harness.sweep();
        assertThat(recoveries()).singleElement().satisfies(event -> {
            assertThat(event.get("role_id").textValue()).isEqualTo("watched");
            assertThat(event.get("active_instances").intValue()).isEqualTo(2);
            assertThat(event.get("min_instances").intValue()).isEqualTo(2);
            assertThat(event.get("severity").textValue()).isEqualTo("info");
            assertThat(event.get("timestamp").textValue()).isEqualTo(Timestamps.text(harness.now()));
        });
        only.deregister();
        harness.system().clock().advanceSeconds(1);
        harness.sweep();
        declare("agents: {watched: }");
        harness.system().clock().advanceSeconds(1);
        harness.sweep();
        assertThat(recoveries()).as("no workflow declares a minimum any more").hasSize(2);
        assertThat(recoveries())
                .anySatisfy(event ->
                        assertThat(event.get("min_instances").intValue()).isZero());
    }

    @Test
    void a_pass_that_began_before_the_mark_ends_the_episode_after_its_beginning() {
        harness.sweep();
        member();
        member();
        Instant marked = harness.now();
        harness.system().clock().advance(Duration.ofSeconds(-1));
        harness.sweep();
        assertThat(recoveries()).singleElement().satisfies(event -> assertThat(
                        Instant.parse(event.get("timestamp").textValue()))
                .isAfter(marked));
    }

    @Test
    void a_pool_falls_again_after_its_recovery_though_another_clock_noted_that() {
        harness.sweep();
        member();
        TestAgent second = member();
        harness.system().clock().advanceSeconds(2);
        harness.sweep();
        Instant recovered = harness.now();
        harness.system().clock().advance(Duration.ofSeconds(-1));
        second.deregister();
        harness.sweep();
        harness.sweep();
        assertThat(poolEvents()).hasSize(2).anySatisfy(event -> assertThat(
                        Instant.parse(event.get("timestamp").textValue()))
                .isAfter(recovered));
    }

    @Test
    void the_mark_of_a_recovery_stays_until_its_time_is_over_though_another_clock_was_days_ahead() {
        harness.system().clock().advance(Duration.ofDays(3));
        harness.sweep();
        Instant marked = harness.now();
        harness.system().clock().advance(Duration.ofDays(-3));
        member();
        member();
        harness.sweep();
        assertThat(recoveries()).hasSize(1);
        Map<String, AttributeValue> mark =
                harness.system().database().registry().get(ItemKind.POOL_BELOW_MINIMUM.key("watched"));
        assertThat(Values.number(mark, Attributes.EXPIRES, 0)).isGreaterThan(marked.getEpochSecond());
    }

    @Test
    void silent_agents_do_not_count() {
        List<TestAgent> pool = List.of(member(), member());
        harness.passTime(60, () -> pool.forEach(TestAgent::sendHeartbeat));
        harness.passTime(150, () -> pool.get(0).sendHeartbeat());
        assertThat(poolEvents()).hasSize(1);
    }

    @Test
    void during_a_blackout_no_pool_event_is_published() {
        List<TestAgent> pool = List.of(member(), member());
        harness.passTime(60, () -> pool.forEach(TestAgent::sendHeartbeat));
        harness.publicApi().dropHeartbeats();
        pool.get(0).deregister();
        harness.passTime(600);
        assertThat(harness.registryEvents("registry.blackout")).isNotEmpty();
        assertThat(poolEvents().size()).as("one for each member that is lost").isLessThanOrEqualTo(2);
        int before = poolEvents().size();
        harness.passTime(300);
        assertThat(poolEvents()).hasSize(before);
    }

    @Test
    void the_state_of_an_undeclared_pool_is_removed() {
        harness.sweep();
        assertThat(poolEvents()).hasSize(1);
        declare("agents: {watched: }");
        harness.sweep();
        harness.system().clock().advanceSeconds(1);
        declare("agents: {watched: {pool: {min_instances: 1}}}");
        harness.sweep();
        assertThat(poolEvents()).hasSize(2);
    }

    @Test
    void concurrent_sweeps_publish_one_event() {
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
            long published = passes.stream()
                    .mapToLong(pass -> (Long) pass.join().get("pools_below_minimum"))
                    .sum();
            assertThat(published).isEqualTo(1);
            assertThat(poolEvents()).hasSize(i);
            List<TestAgent> pool = List.of(member(), member());
            passes = sweeps.stream()
                    .map(sweep -> CompletableFuture.supplyAsync(() -> SweepHarness.run(sweep), threads))
                    .toList();
            passes.forEach(CompletableFuture::join);
            assertThat(recoveries()).hasSize(i);
            pool.forEach(TestAgent::deregister);
        }
        threads.shutdown();
    }

    @ParameterizedTest
    @EnumSource(WriteFailure.class)
    @Tag("exhaustive")
    void a_crashed_sweep_publishes_each_event_exactly_once(WriteFailure way) {
        for (int fatal = 1; fatal <= 4; fatal++) {
            declareAPoolOfTwo();
            List<TestAgent> pool = List.of(member(), member());
            harness.sweep();
            harness.system().clock().advanceSeconds(1);
            pool.get(0).deregister();
            TestDynamoDb crashing = new TestDynamoDb(harness.system().dynamoDb()).failAt(fatal, way);
            try {
                SweepHarness.run(harness.sweepThrough(crashing));
            } catch (RuntimeException | Crash e) {
                assertThat(crashing.hasFailed()).isTrue();
            }
            harness.sweep();
            harness.sweep();
            assertThat(poolEvents()).as("%s at write %d", way, fatal).hasSize(1);
        }
    }

    @Test
    void shards_count_the_agents_of_pools() {
        PoolCount left = new PoolCount(Map.of(1L, 2L, 1L << 47, 5L));
        PoolCount right = new PoolCount(Map.of(1L, 3L));
        FleetReading reading = new FleetReading(
                FleetReading.EMPTY.count(),
                0,
                left,
                FleetStatistics.EMPTY,
                OwnerCounts.EMPTY,
                ContainmentCandidates.NONE);
        assertThat(ShardMessages.reading(ShardMessages.of(reading)).pools()).isEqualTo(left);
        assertThat(left.plus(right).of(1)).isEqualTo(5);
    }

    private List<JsonNode> poolEvents() {
        return harness.registryEvents("pool.below_minimum");
    }

    private List<JsonNode> recoveries() {
        return harness.registryEvents("pool.recovered");
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
