package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Leases whose holder or another sweep changes them while they are ended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-26")
class LeaseCleanUpTest {

    private static final String STALLED = "lease.expired agent_stalled";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final LeaseClient leases = new LeaseClient(harness.system().api());

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    /** A clean-up, with something else that happens before each of its transactions. */
    private LeaseCleanUp cleanUp(Runnable before) {
        return new LeaseCleanUp(new LeaseStore(harness.system()
                .databaseThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
                    if (request instanceof TransactWriteItemsRequest) {
                        before.run();
                    }
                }))));
    }

    @Test
    void a_lease_that_its_holder_releases_meanwhile_keeps_that_and_the_others_end() {
        TestAgent stuck = harness.agent("stuck");
        List<JsonNode> held = new ArrayList<>(IntStream.range(0, LeaseStore.MAX_ENDED_AT_ONCE + 2)
                .mapToObj(i -> leases.granted("stuck", "scope-" + i, 600))
                .toList());
        AtomicInteger transactions = new AtomicInteger();
        AtomicLong expired = new AtomicLong();
        JsonNode released = held.remove(3);
        boolean done = cleanUp(() -> {
                    if (transactions.getAndIncrement() == 0) {
                        leases.release(released);
                    }
                })
                .finish(stuck.pulse(), LeaseReason.AGENT_STALLED, harness.now(), () -> true, expired::addAndGet);
        assertThat(done).isTrue();
        assertThat(expired).hasValue(held.size());
        List<JsonNode> events = leases.events();
        assertThat(LeaseClient.history(events, released)).containsExactly("lease.acquired", "lease.released");
        held.forEach(
                lease -> assertThat(LeaseClient.history(events, lease)).containsExactly("lease.acquired", STALLED));
    }

    @Test
    void what_a_stalled_agent_goes_on_to_acquire_is_left_to_the_next_sweep() {
        TestAgent stuck = harness.agent("stuck");
        leases.granted("stuck", "scope-0", 600);
        AtomicInteger acquired = new AtomicInteger();
        AtomicLong expired = new AtomicLong();
        LeaseCleanUp busy = cleanUp(() -> leases.granted("stuck", "scope-" + acquired.incrementAndGet(), 600));
        assertThat(busy.finish(stuck.pulse(), LeaseReason.AGENT_STALLED, harness.now(), () -> true, expired::addAndGet))
                .isFalse();
        assertThat(expired).hasValue(3);
        assertThat(leases.ids("active")).hasSize(1);
        assertThat(cleanUp(() -> {})
                        .finish(
                                stuck.pulse(),
                                LeaseReason.AGENT_STALLED,
                                harness.now(),
                                () -> true,
                                expired::addAndGet))
                .isTrue();
        assertThat(expired).hasValue(4);
        assertThat(leases.ids("active")).isEmpty();
    }

    @Test
    void a_clean_up_without_time_is_continued_by_the_next_one() {
        TestAgent gone = harness.agent("gone");
        grant("gone", 2 * LeaseStore.MAX_ENDED_AT_ONCE + 10, 600);
        gone.deregister();
        assertThat(leases.ids("active")).hasSize(LeaseStore.MAX_ENDED_AT_ONCE + 10);
        assertThat(cleanUp(() -> {}).finish(gone.pulse(), harness.now(), times(1), expired -> {}))
                .isFalse();
        assertThat(leases.ids("active")).hasSize(10);
        assertThat(cleanUp(() -> {}).finish(gone.pulse(), harness.now(), times(0), expired -> {}))
                .isFalse();
        assertThat(leases.ids("active")).hasSize(10);
        assertThat(cleanUp(() -> {}).finish(gone.pulse(), harness.now(), () -> true, expired -> {}))
                .isTrue();
        assertThat(leases.ids("active")).isEmpty();
    }

    @Test
    void leases_of_a_stalled_agent_that_are_left_without_time_end_later() {
        TestAgent stuck = harness.agent("stuck");
        grant("stuck", LeaseStore.MAX_ENDED_AT_ONCE + 10, 600);
        AtomicLong expired = new AtomicLong();
        assertThat(cleanUp(() -> {})
                        .finish(stuck.pulse(), LeaseReason.AGENT_STALLED, harness.now(), times(1), expired::addAndGet))
                .isFalse();
        assertThat(expired).hasValue(LeaseStore.MAX_ENDED_AT_ONCE);
        assertThat(cleanUp(() -> {})
                        .finish(
                                stuck.pulse(),
                                LeaseReason.AGENT_STALLED,
                                harness.now(),
                                () -> true,
                                expired::addAndGet))
                .isTrue();
        assertThat(expired).hasValue(LeaseStore.MAX_ENDED_AT_ONCE + 10);
    }

    @Test
    void leases_that_expired_and_are_left_without_time_are_marked_later() {
        harness.agent("holder");
        grant("holder", LeaseStore.MAX_ENDED_AT_ONCE + 10, 1);
        harness.system().clock().advanceSeconds(2);
        LeaseExpiry expiry = new LeaseExpiry(new LeaseStore(harness.system().database()));
        assertThat(expiry.note(harness.now(), times(0))).isZero();
        assertThat(expiry.note(harness.now(), times(2))).isEqualTo(LeaseStore.MAX_ENDED_AT_ONCE);
        assertThat(expiry.note(harness.now(), () -> true)).isEqualTo(10);
        assertThat(expiry.note(harness.now(), () -> true)).isZero();
    }

    private void grant(String agentId, int number, int seconds) {
        IntStream.range(0, number).forEach(i -> leases.granted(agentId, "scope-" + i, seconds));
    }

    /** Returns whether there is time for one more transaction, so many times. */
    private static BooleanSupplier times(int number) {
        AtomicInteger left = new AtomicInteger(number);
        return () -> left.getAndDecrement() > 0;
    }
}
