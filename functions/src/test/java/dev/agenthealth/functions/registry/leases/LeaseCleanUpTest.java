package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.testkit.HookedDynamoDb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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
                .databaseThrough(new HookedDynamoDb(harness.system().dynamoDb(), request -> {
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
                .finishStalled(stuck.pulse(), harness.now(), () -> true, expired::addAndGet);
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
        assertThat(busy.finishStalled(stuck.pulse(), harness.now(), () -> true, expired::addAndGet))
                .isFalse();
        assertThat(expired).hasValue(3);
        assertThat(leases.ids("active")).hasSize(1);
        assertThat(cleanUp(() -> {}).finishStalled(stuck.pulse(), harness.now(), () -> true, expired::addAndGet))
                .isTrue();
        assertThat(expired).hasValue(4);
        assertThat(leases.ids("active")).isEmpty();
    }
}
