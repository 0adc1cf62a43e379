package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.registry.outcomes.OutcomeClient.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.testkit.Interleavings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Every outcome is counted once, with any number of concurrent senders and duplicates. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("AHS-08")
class OutcomeRacesTest {

    private static final int SENDERS = 16;
    private static final int STUCK_AFTER_SECONDS = 120;
    private static final int PART = StoredOutcomes.BATCHES_OF_A_PART;
    private static final Expectations MIN_WINDOW = new Expectations(Map.of(Expectation.WINDOW_SECONDS, 300d));

    private final TestSystem system = new TestSystem();
    private final OutcomeClient client = new OutcomeClient(system);
    private final ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
    private int agents;

    @AfterAll
    void close() {
        threads.shutdownNow();
        system.close();
    }

    @RepeatedTest(5)
    void of_eight_concurrent_duplicates_one_counts() throws Exception {
        TestAgent agent = newAgent();
        List<Response> responses = atOnce(8, i -> client.report(agent, "b-1", OutcomeClient.times(50, SUCCESS)));
        assertThat(responses).extracting(Response::status).containsOnly(202);
        assertThat(responses)
                .extracting(r -> r.json().path("accepted").intValue())
                .containsOnly(50);
        assertThat(responses)
                .filteredOn(r -> !r.json().path("duplicate").booleanValue())
                .hasSize(1);
        assertThat(client.stored(agent).total().successes()).isEqualTo(50);
    }

    @RepeatedTest(5)
    void duplicates_concurrent_with_the_end_of_a_part_count_once() throws Exception {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        for (int i = 0; i < PART - 4; i++) {
            client.report(agent, "before-" + i, OutcomeClient.successAt(now));
        }
        List<Response> responses =
                atOnce(SENDERS, i -> client.report(agent, "b-" + i % 8, OutcomeClient.successAt(now)));
        assertThat(responses).extracting(Response::status).containsOnly(202);
        assertThat(responses)
                .filteredOn(r -> !r.json().path("duplicate").booleanValue())
                .hasSize(8);
        assertThat(client.stored(agent).total().successes()).isEqualTo(PART + 4);
        assertThat(client.stored(agent).batchesOfParts()).containsExactly(PART, 4);
    }

    @Test
    @Tag("AHM-07")
    @Tag("exhaustive")
    void ten_thousand_outcomes_from_sixteen_senders_are_counted_exactly() throws Exception {
        TestAgent agent = newAgent();
        Instant now = system.clock().instant();
        List<Outcome> outcomes = outcomes(10_000, now);
        List<List<Outcome>> batches = batches(outcomes, 40);
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, batches.size()).boxed().toList());
        // A fifth of the batches is sent twice, most of the time by different senders.
        order.addAll(order.subList(0, batches.size() / 5));
        Collections.shuffle(order, new Random(7));
        List<Integer> refused = atOnce(SENDERS, sender -> {
            int failed = 0;
            for (int i = sender; i < order.size(); i += SENDERS) {
                int batch = order.get(i);
                Response response = client.report(agent, "b-" + batch, OutcomeClient.json(batches.get(batch)));
                failed += response.status() == 202 ? 0 : 1;
            }
            return failed;
        });
        assertThat(refused).containsOnly(0);
        OutcomeCounts expected = outcomes.stream()
                .map(outcome -> OutcomeCounts.of(outcome, OutcomeSource.SELF, MIN_WINDOW))
                .reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
        StoredOutcomes stored = client.stored(agent);
        assertThat(stored.total()).isEqualTo(expected);
        assertThat(stored.bySlice()).hasSizeGreaterThan(1);
        assertThat(stored.parts())
                .as("some slices have several parts")
                .hasSizeGreaterThan(stored.bySlice().size());
        assertThat(stored.batchesOfParts()).allMatch(count -> count <= PART);
        assertThat(stored.sizesOfParts()).allMatch(bytes -> bytes < 2 * 1_024);
    }

    /** Two requests add the same batch and one takes the last place of the part, in every order of their storage requests. */
    @Test
    void a_batch_is_counted_once_in_every_order_of_the_requests() {
        Instant now = system.clock().instant();
        try (Interleavings interleavings = new Interleavings(system.dynamoDb(), OutcomeRacesTest::isAboutASlice)) {
            OutcomeStore store = new OutcomeStore(system.databaseThrough(interleavings.client()));
            for (int i = 0; i < PART - 1; i++) {
                store.count(batch("almost-full", "before-" + i, now), MIN_WINDOW);
            }
            int orders = interleavings.explore(() -> {
                String agentId = "agent_" + agents++;
                new StoredOutcomes(system, "almost-full").copyTo(agentId);
                StoredOutcomes stored = new StoredOutcomes(system, agentId);
                AtomicInteger counted = new AtomicInteger();
                Runnable twice = () -> {
                    if (store.count(batch(agentId, "twice", now), MIN_WINDOW)) {
                        counted.incrementAndGet();
                    }
                };
                return new Interleavings.Scenario() {
                    @Override
                    public List<Runnable> operations() {
                        return List.of(twice, twice, () -> store.count(batch(agentId, "other", now), MIN_WINDOW));
                    }

                    @Override
                    public void check(List<Integer> order) {
                        assertThat(stored.total().successes())
                                .as("order %s", order)
                                .isEqualTo(PART + 1);
                        assertThat(counted)
                                .as("one reports that it counted, order %s", order)
                                .hasValue(1);
                    }
                };
            });
            assertThat(orders).isGreaterThan(90);
        }
    }

    private static boolean isAboutASlice(DynamoDbRequest request) {
        return request instanceof QueryRequest
                || request instanceof UpdateItemRequest update
                        && update.key().get("sk").s().startsWith("O#");
    }

    private static OutcomeBatch batch(String agentId, String batchId, Instant at) {
        return new OutcomeBatch(
                agentId,
                OutcomeSource.SELF,
                "",
                batchId,
                List.of(new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, Outcome.NO_LATENCY, at, false)));
    }

    private static List<Outcome> outcomes(int count, Instant now) {
        Random random = new Random(42);
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    OutcomeResult result = OutcomeResult.values()[random.nextInt(3)];
                    boolean ran = result != OutcomeResult.TRIGGER_FAILURE;
                    return new Outcome(
                            result,
                            ErrorType.values()[random.nextInt(5)],
                            ran && random.nextInt(4) > 0
                                    ? Math.rint(Math.exp(random.nextDouble() * 12) * 1_000) / 1_000
                                    : Outcome.NO_LATENCY,
                            now.minusSeconds(random.nextInt(30)),
                            ran && random.nextInt(10) == 0);
                })
                .toList();
    }

    private static <T> List<List<T>> batches(List<T> all, int size) {
        return IntStream.range(0, (all.size() + size - 1) / size)
                .mapToObj(i -> all.subList(i * size, Math.min(all.size(), (i + 1) * size)))
                .toList();
    }

    /** The results of the same work run by several threads at once. */
    private <T> List<T> atOnce(int senders, Work<T> work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<T>> answers = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            int sender = i;
            Callable<T> call = () -> {
                start.await();
                return work.of(sender);
            };
            answers.add(threads.submit(call));
        }
        start.countDown();
        List<T> results = new ArrayList<>();
        for (Future<T> answer : answers) {
            results.add(answer.get(STUCK_AFTER_SECONDS, TimeUnit.SECONDS));
        }
        return results;
    }

    /** The work of one of several senders. */
    private interface Work<T> {
        T of(int sender);
    }

    private TestAgent newAgent() {
        return client.newAgent("agent_" + agents++, 300);
    }
}
