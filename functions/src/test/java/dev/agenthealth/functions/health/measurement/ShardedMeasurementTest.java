package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** A measurement with more due agents than one run computes. */
@Tag("SYS-02")
class ShardedMeasurementTest {

    private static final int AGENTS = 60;
    private static final int BATCH = 8;

    private static final int MAX_SHARDS = 128;

    private static final IntFunction<Counts<MeasurementResult>> NO_WORKERS = shard -> {
        throw new IllegalStateException("no workers");
    };

    private final MeasurementHarness harness = new MeasurementHarness();
    private final MeasurementPass pass = harness.pass(harness.system().dynamoDb());
    private final ExecutorService workerThreads = Executors.newFixedThreadPool(4);
    private final MeasurementPass worker = harness.pass(harness.system().dynamoDb(), workerThreads);
    private final List<TestAgent> agents = new ArrayList<>();

    @AfterEach
    void close() {
        workerThreads.shutdownNow();
        harness.close();
    }

    @Test
    void full_shards_go_to_workers_and_all_agents_are_computed_once() {
        report();
        Set<Integer> shared = new ConcurrentSkipListSet<>();
        Counts<MeasurementResult> outcome = pass.run(BATCH, () -> true, shard -> {
            shared.add(shard);
            Counts<MeasurementResult> published = worker.run(Set.of(shard), 1_000, () -> true);
            return published;
        });
        assertThat(shared).isNotEmpty();
        assertThat(outcome.get(MeasurementResult.PUBLISHED)).isEqualTo(AGENTS);
        assertThat(agents).allMatch(agent -> harness.status(agent) == HealthStatus.HEALTHY);
        assertThat(harness.measure()).containsEntry("computed", 0L).containsEntry("published", 0L);
    }

    @Test
    void all_workers_run_concurrently_even_with_one_thread() {
        report();
        ExecutorService one = Executors.newSingleThreadExecutor();
        try {
            CountDownLatch all =
                    new CountDownLatch(new DueStore(harness.system().database()).shards());
            Counts<MeasurementResult> outcome = harness.pass(harness.system().dynamoDb(), one)
                    .run(1, () -> true, shard -> {
                        all.countDown();
                        return Counts.of(MeasurementResult.PUBLISHED, awaited(all) ? 1 : 0);
                    });
            assertThat(outcome.get(MeasurementResult.PUBLISHED))
                    .isEqualTo(new DueStore(harness.system().database()).shards());
        } finally {
            one.shutdownNow();
        }
    }

    private static boolean awaited(CountDownLatch all) {
        try {
            return all.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    @Tag("exhaustive")
    void a_failed_worker_does_not_stop_the_others_and_its_agents_stay_due() {
        report();
        assertThatThrownBy(() -> pass.run(BATCH, () -> true, NO_WORKERS)).hasMessage("no workers");
        long computedThen = AGENTS - (long) harness.measure().get("published");
        assertThat(computedThen).isBetween(1L, AGENTS - 1L);
        assertThat(agents).allMatch(agent -> harness.status(agent) == HealthStatus.HEALTHY);
    }

    @Test
    @Tag("exhaustive")
    void without_remaining_time_no_agent_is_computed_and_all_stay_due() {
        report();
        Counts<MeasurementResult> outcome = pass.run(1_000, () -> false, NO_WORKERS);
        assertThat(outcome.get(MeasurementResult.POSTPONED)).isEqualTo(AGENTS);
        assertThat(outcome.numbers()).containsOnlyKeys(MeasurementResult.POSTPONED);
        assertThat(harness.measure()).containsEntry("published", (long) AGENTS);
    }

    @Test
    @Tag("exhaustive")
    void failing_agents_do_not_block_other_due_agents() {
        report();
        MeasurementPass failing = harness.pass(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
            if (request instanceof GetItemRequest get && get.key().get("pk").s().matches(".*[0-4]")) {
                throw new IllegalStateException("not this one");
            }
        }));
        Set<Integer> all = IntStream.range(0, new DueStore(harness.system().database()).allShards())
                .boxed()
                .collect(Collectors.toSet());
        Counts<MeasurementResult> outcome = failing.run(all, 1, () -> true);
        assertThat(outcome.get(MeasurementResult.FAILED)).isEqualTo(AGENTS / 2);
        assertThat(outcome.get(MeasurementResult.PUBLISHED)).isEqualTo(AGENTS / 2);
        assertThat(harness.measure()).containsEntry("published", AGENTS / 2L);
    }

    @Test
    void hourly_marks_in_other_partitions_are_found_before_documents_become_unknown() {
        report(10);
        harness.pass(wide()).run(1_000, () -> true, NO_WORKERS);
        harness.system().clock().advance(Duration.ofMinutes(60));
        for (int minute = 0; minute < 6; minute++) {
            harness.measure();
            harness.system().clock().advanceSeconds(60);
        }
        assertThat(agents).as("at 11:06").allMatch(agent -> status(agent).equals("healthy"));
    }

    /** The status in the public health document. */
    private String status(TestAgent agent) {
        return harness.system()
                .api()
                .get("/agents/" + agent.id() + "/.well-known/agent-health")
                .send()
                .json()
                .path("health")
                .path("status")
                .asText();
    }

    @Test
    @Tag("exhaustive")
    void marks_in_former_or_not_yet_cached_partitions_are_found_within_half_an_hour() {
        Database wide = wide();
        for (int i = 0; i < AGENTS; i++) {
            agents.add(harness.agent("agent-" + i, ""));
        }
        harness.measure();
        for (TestAgent agent : agents) {
            new OutcomeStore(wide).count(batch(agent.id(), harness.now()), Expectations.NONE);
        }
        MeasurementPass widePass = harness.pass(wide);
        int seen = 0;
        for (int minute = 0; minute < 30; minute++) {
            harness.system().clock().advanceSeconds(60);
            long published = (long) harness.measure().get("published");
            if (minute == 0) {
                assertThat(published).as("some marks are in partitions in use").isLessThan(AGENTS / 2);
            }
            seen += (int) published;
        }
        assertThat(seen).isEqualTo(AGENTS);
        for (TestAgent agent : agents) {
            new DueStore(wide).markDue(agent.id());
        }
        assertThat(widePass.run(1_000, () -> true, NO_WORKERS).get(MeasurementResult.COMPUTED))
                .as("a pass that uses the new partitions finds them at once")
                .isEqualTo(AGENTS);
    }

    private Database wide() {
        return new Database(
                harness.system().dynamoDb(),
                new Tables(TestTables.PULSES, TestTables.REGISTRY, MAX_SHARDS),
                harness.system().clock(),
                harness.system().pause(),
                new StorageMeter());
    }

    private static OutcomeBatch batch(String agentId, Instant at) {
        return new OutcomeBatch(
                agentId,
                OutcomeSource.SELF,
                "",
                "b-1",
                Collections.nCopies(
                        12, new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, Outcome.NO_LATENCY, at, false)));
    }

    private void report() {
        report(AGENTS);
    }

    private void report(int number) {
        for (int i = 0; i < number; i++) {
            TestAgent agent = harness.agent("agent-" + i, "");
            harness.report(agent, 12, 0, 10);
            agents.add(agent);
        }
    }
}
