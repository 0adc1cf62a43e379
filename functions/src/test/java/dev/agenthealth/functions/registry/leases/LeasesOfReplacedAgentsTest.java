package dev.agenthealth.functions.registry.leases;

import static dev.agenthealth.functions.registry.leases.LeaseClient.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.sweep.SweepHarness;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.testkit.TestDynamoDb;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** Leases of agents that were replaced: they expire as {@code agent_restarted}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-17")
class LeasesOfReplacedAgentsTest {

    /** More leases than one transaction ends. */
    private static final int MANY = LeaseStore.MAX_ENDED_AT_ONCE + 5;

    private static final String REPLACE = ",\"replace\":true";
    private static final String RESTARTED = "lease.expired agent_restarted";

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private final LeaseClient leases = new LeaseClient(harness.system().api());

    @BeforeEach
    void start() {
        harness.startAfresh();
    }

    @Test
    void they_expire_at_once_and_the_old_process_is_refused() {
        TestAgent agent = harness.agent("worker");
        JsonNode lease = leases.granted("worker", "scope", 600);
        replace(agent);
        assertThat(leases.history(lease)).containsExactly("lease.acquired", RESTARTED);
        assertThat(leases.shown(lease).get("status").textValue()).isEqualTo("expired");
        assertThat(leases.shown(lease).get("reason").textValue()).isEqualTo("agent_restarted");
        assertError(leases.verify(lease), 412, "lease_not_in_force");
        assertError(leases.renew(lease, 60), 412, "lease_not_in_force");
        assertThat(leases.release(lease).status())
                .as("nothing is left to release")
                .isEqualTo(204);
        JsonNode next = leases.granted("worker", "scope", 60);
        assertThat(next.get("fencing_token").longValue())
                .isGreaterThan(lease.get("fencing_token").longValue());
        assertThat(leases.verify(next).status()).isEqualTo(200);
        assertError(leases.verify(next, lease.get("fencing_token").longValue()), 412, "fencing_token_stale");
        assertThat(leases.history(lease)).hasSize(2);
    }

    @Test
    void a_lease_that_timed_out_before_keeps_its_reason() {
        TestAgent agent = harness.agent("worker");
        JsonNode lease = leases.granted("worker", "scope", 10);
        harness.system().clock().advanceSeconds(11);
        replace(agent);
        assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
    }

    @Test
    @Tag("SYS-02")
    void those_that_do_not_fit_into_one_transaction_are_refused_at_once_and_expire_with_the_next_sweep() {
        TestAgent agent = harness.agent("worker");
        List<JsonNode> held = many("worker");
        replace(agent);
        assertThat(leases.ids("active")).hasSize(5);
        held.forEach(lease -> assertError(leases.verify(lease), 412, "lease_not_in_force"));
        JsonNode next = leases.granted("worker", "of-the-successor", 600);
        harness.sweep();
        held.forEach(lease -> assertThat(leases.history(lease)).containsExactly("lease.acquired", RESTARTED));
        assertThat(agent.pulse().cleanUp().isPending()).isFalse();
        assertThat(leases.verify(next).status()).isEqualTo(200);
    }

    @Test
    @Tag("R16-26")
    void every_incarnation_keeps_the_reason_of_its_end() {
        TestAgent agent = harness.agent("worker");
        List<JsonNode> first = many("worker");
        replace(agent);
        List<JsonNode> second = many("worker");
        agent.deregister();
        agent.register("");
        JsonNode third = leases.granted("worker", "third", 600);
        harness.sweep();
        first.forEach(lease -> assertThat(leases.history(lease)).containsExactly("lease.acquired", RESTARTED));
        second.forEach(lease -> assertThat(leases.history(lease))
                .containsExactly("lease.acquired", "lease.released agent_deregistered"));
        assertThat(leases.history(third)).containsExactly("lease.acquired");
    }

    @Test
    void a_busy_storage_leaves_them_to_the_sweep_and_does_not_fail_the_registration() {
        TestAgent agent = harness.agent("worker");
        JsonNode lease = leases.granted("worker", "scope", 600);
        TestApi busy = harness.system()
                .apiThrough(new TestDynamoDb(harness.system().dynamoDb()).before(request -> {
                    if (request instanceof QueryRequest) {
                        throw TransactionConflictException.builder()
                                .message("busy")
                                .build();
                    }
                }));
        assertThat(agent.register(busy, REPLACE).status()).isEqualTo(201);
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        assertError(leases.verify(lease), 412, "lease_not_in_force");
        harness.sweep();
        assertThat(leases.history(lease)).containsExactly("lease.acquired", RESTARTED);
    }

    private static void replace(TestAgent agent) {
        assertThat(agent.register(REPLACE).status()).isEqualTo(201);
    }

    private List<JsonNode> many(String agentId) {
        List<JsonNode> granted = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            granted.add(leases.granted(
                    agentId, "scope-" + agentId + "-" + leases.events().size() + "-" + i, 600));
        }
        return granted;
    }
}
