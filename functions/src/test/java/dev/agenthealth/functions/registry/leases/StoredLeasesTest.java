package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;

/** Which leases an incarnation of an agent holds, as its drain and its stall ask. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoredLeasesTest {

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final LeaseClient leases = new LeaseClient(harness.system().api());
    private final LeaseStore store = new LeaseStore(harness.system().database());

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void leases_of_an_earlier_incarnation_are_not_held_though_they_have_not_ended() {
        TestAgent agent = harness.agent("phoenix");
        IntStream.range(0, LeaseStore.MAX_ENDED_AT_ONCE + 1).forEach(i -> leases.granted("phoenix", "scope-" + i, 600));
        agent.deregister();
        assertThat(agent.register("").status()).isEqualTo(201);
        assertThat(store.ofAgent("phoenix", incarnation -> true, "", 10)).hasSize(1);
        assertThat(store.holdsAny(agent.pulse(), harness.now())).isFalse();
        assertThat(store.inForce(agent.pulse(), harness.now())).isEmpty();
        JsonNode own = leases.granted("phoenix", "own", 600);
        assertThat(store.holdsAny(agent.pulse(), harness.now())).isTrue();
        assertThat(store.inForce(agent.pulse(), harness.now()))
                .extracting(Lease::id)
                .containsExactly(own.get("id").textValue());
    }

    @Test
    void a_lease_is_held_until_its_time_is_over() {
        TestAgent agent = harness.agent("slow");
        leases.granted("slow", "scope", 10);
        assertThat(store.holdsAny(agent.pulse(), harness.now().plusSeconds(9))).isTrue();
        assertThat(store.inForce(agent.pulse(), harness.now().plusSeconds(9))).hasSize(1);
        assertThat(store.holdsAny(agent.pulse(), harness.now().plusSeconds(10))).isFalse();
        assertThat(store.inForce(agent.pulse(), harness.now().plusSeconds(10))).isEmpty();
    }

    @Test
    void a_lease_that_ends_while_the_list_is_read_is_not_in_it() {
        harness.agent("quick");
        JsonNode lease = leases.granted("quick", "scope", 600);
        AtomicBoolean released = new AtomicBoolean();
        LeaseStore racing = new LeaseStore(harness.system()
                .databaseThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
                    if (request instanceof BatchGetItemRequest && released.compareAndSet(false, true)) {
                        leases.release(lease);
                    }
                })));
        assertThat(racing.ofAgent("quick", incarnation -> true, "", 10)).isEmpty();
        assertThat(released).isTrue();
    }
}
