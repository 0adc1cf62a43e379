package dev.agenthealth.functions.health.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.health.trust.OnlineStatus;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Blocks concurrent with invocations and with other blocks. */
@Tag("SN-03")
@Tag("SN-02")
@Tag("SN-08")
class BlockingRacesTest {

    private static final int THREADS = 16;
    private static final int INVOCATIONS = 1_000;
    private static final int STUCK_AFTER_SECONDS = 120;

    private final TestSystem system = new TestSystem();
    private final TrustClient client = new TrustClient(system);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void close() {
        threads.shutdownNow();
        system.close();
    }

    @Test
    @Tag("exhaustive")
    void a_block_is_kept_during_a_thousand_invocations_and_all_of_them_count() throws Exception {
        client.newAgent("a", "p");
        List<Invocation> invocations = IntStream.range(0, INVOCATIONS)
                .mapToObj(i -> client.invocation("a", "p", i % 3 != 0, i))
                .toList();
        List<Future<Boolean>> recorded = new ArrayList<>();
        for (int i = 0; i < INVOCATIONS; i++) {
            Invocation invocation = invocations.get(i);
            recorded.add(threads.submit(() -> client.recorded().record(invocation)));
            if (i == INVOCATIONS / 4) {
                assertThat(client.block("agents/a", "agent").status()).isEqualTo(200);
            }
            if (i == INVOCATIONS / 2) {
                assertThat(client.block("providers/p", "provider").status()).isEqualTo(200);
            }
            if (i > INVOCATIONS / 2 && i % 50 == 0) {
                assertThat(new BlockStore(system.database())
                                .of("a", Set.of("p"))
                                .ofAgent()
                                .inForce())
                        .isTrue();
                assertThat(new BlockStore(system.database())
                                .of("a", Set.of("p"))
                                .ofProviders()
                                .get(0)
                                .inForce())
                        .isTrue();
            }
        }
        for (Future<Boolean> one : recorded) {
            assertThat(one.get(STUCK_AFTER_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(client.trustOfAgent("a").path("block_reason").asText()).isEqualTo("agent");
        assertThat(client.trustOfProvider("p").path("block_reason").asText()).isEqualTo("provider");
        EvidenceSums all = invocations.stream()
                .map(one -> EvidenceSums.of(one.success(), one.at()))
                .reduce(EvidenceSums.NONE, EvidenceSums::plus);
        for (TrackRecord record : List.of(
                client.recorded().of(new OfAgent("a")), client.recorded().of(new OfProvider("p")))) {
            assertThat(record.successes()).isEqualTo(666);
            assertThat(record.failures()).isEqualTo(334);
            assertThat(record.evidence()).isEqualTo(all);
            assertThat(record.latest()).hasSize(OnlineStatus.MAX_CALLS);
        }
        assertSpread(new OfAgent("a"), 16, 1);
        assertSpread(new OfProvider("p"), 64, 16);
    }

    @Test
    void an_invocation_recorded_concurrently_counts_once() throws Exception {
        client.newAgent("a", "p");
        Invocation invocation = client.invocation("a", "p", true, 5);
        List<Future<Boolean>> recorded = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            recorded.add(threads.submit(() -> client.recorded().record(invocation)));
        }
        int done = 0;
        for (Future<Boolean> one : recorded) {
            done += one.get(STUCK_AFTER_SECONDS, TimeUnit.SECONDS) ? 1 : 0;
        }
        assertThat(done).isEqualTo(1);
        assertThat(client.healthOfProvider("p").path("success_count").asInt()).isEqualTo(1);
    }

    @Test
    void concurrent_decisions_of_operators_are_serialized() throws Exception {
        client.newAgent("a", "p");
        List<Future<Integer>> decided = new ArrayList<>();
        for (int i = 0; i < 48; i++) {
            int number = i;
            decided.add(threads.submit(() -> number % 3 == 0
                    ? client.unblock("agents/a").status()
                    : client.block("agents/a", "reason " + number % 5).status()));
        }
        for (Future<Integer> one : decided) {
            assertThat(one.get(STUCK_AFTER_SECONDS, TimeUnit.SECONDS)).isIn(200, 503);
        }
        List<JsonNode> events = client.events().stream()
                .sorted((x, y) -> Long.compare(
                        x.path("revision").asLong(), y.path("revision").asLong()))
                .toList();
        assertThat(events)
                .extracting(event -> event.path("revision").asLong())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, events.size()).boxed().toList());
        for (int i = 1; i < events.size(); i++) {
            assertThat(says(events.get(i))).as("each event is a change").isNotEqualTo(says(events.get(i - 1)));
        }
        JsonNode last = events.get(events.size() - 1);
        assertThat(client.trustOfAgent("a").path("blocked").booleanValue())
                .isEqualTo(last.path("action").asText().equals("blocked"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_decision_is_retried_after_a_concurrent_one(boolean blockedBefore) {
        client.newAgent("a", "p");
        if (blockedBefore) {
            client.block("agents/a", "before");
        }
        AtomicBoolean overtaken = new AtomicBoolean();
        TrustClient slow =
                new TrustClient(system, system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
                            if (request instanceof TransactWriteItemsRequest && overtaken.compareAndSet(false, true)) {
                                client.block("agents/a", "faster");
                            }
                        })));
        assertThat(slow.block("agents/a", "slower").status()).isEqualTo(200);
        List<JsonNode> events = client.events();
        assertThat(events).extracting(BlockingRacesTest::says).endsWith("blockedfaster", "blockedslower");
        assertThat(events).hasSize(blockedBefore ? 3 : 2);
        assertThat(client.trustOfAgent("a").path("block_reason").asText()).isEqualTo("slower");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sweep", "block", "unblock"})
    void the_end_of_a_block_that_another_writer_overtakes_is_published_at_most_once(String other) {
        client.newAgent("a", "p");
        String until = Timestamps.text(system.clock().instant().plusSeconds(60));
        client.block(TestSystem.ADMINISTRATOR_KEY, "agents/a", "{\"until\":\"" + until + "\"}");
        system.clock().advanceSeconds(60);
        AtomicBoolean overtaken = new AtomicBoolean();
        Database slow = new Database(
                new TestDynamoDb(system.dynamoDb()).before(request -> {
                    if (request instanceof TransactWriteItemsRequest && overtaken.compareAndSet(false, true)) {
                        switch (other) {
                            case "sweep" -> blocking(system.database()).noteEnds(() -> true);
                            case "block" -> client.block("agents/a", "faster");
                            default -> client.unblock("agents/a");
                        }
                    }
                }),
                new Tables(TestTables.PULSES, TestTables.REGISTRY),
                system.clock(),
                system.pause(),
                new StorageMeter());
        blocking(slow).noteEnds(() -> true);
        assertThat(overtaken).isTrue();
        List<String> actions = client.events().stream()
                .map(event -> event.path("action").asText())
                .toList();
        assertThat(actions).containsExactly("blocked", other.equals("block") ? "blocked" : "unblocked");
        assertThat(client.trustOfAgent("a").path("blocked").booleanValue()).isEqualTo(other.equals("block"));
    }

    private Blocking blocking(Database database) {
        return new Blocking(database, system.clock(), system.log());
    }

    /** No item receives most of the updates: none has three times its share. */
    private void assertSpread(TrustSubject subject, int items, int partitions) {
        Map<String, Long> byItem = client.recorded().byItem(subject);
        assertThat(byItem).hasSize(items);
        assertThat(byItem.values()).allMatch(count -> count < 3L * INVOCATIONS / items);
        Map<String, Long> byPartition = client.recorded().byPartition(subject);
        assertThat(byPartition).hasSize(partitions);
        assertThat(byPartition.values()).allMatch(count -> count < 3L * INVOCATIONS / partitions);
    }

    /** An unblocking has the reason of the block that it ends. */
    private static String says(JsonNode event) {
        return event.path("action").asText() + event.path("reason").asText();
    }
}
