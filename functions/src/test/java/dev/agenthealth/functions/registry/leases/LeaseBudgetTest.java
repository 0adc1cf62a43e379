package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.RequestMeter;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Cost of leases, and their behaviour during storage conflicts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-17")
class LeaseBudgetTest {

    private static final String LONG_ID = "x".repeat(60);
    private static final String MAX_ID = "y".repeat(64);

    private final TestSystem system = new TestSystem();
    private final LeaseClient leases = new LeaseClient(system.api());
    private int number;
    private String agent;
    private String scope;

    @BeforeEach
    void register() {
        number++;
        agent = LONG_ID + (1_000 + number);
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"" + agent + "\",\"role_id\":\"" + MAX_ID + "\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        scope = LONG_ID + number;
    }

    @AfterAll
    void close() {
        system.faults().clear();
        system.close();
    }

    @Test
    void with_ids_of_maximum_length_a_grant_a_renewal_and_a_release_are_one_transaction_each() {
        JsonNode lease = metered(this::acquireAtLength, 14).json();
        system.clock().advanceSeconds(7);
        metered(() -> leases.renew(lease, 600), 14);
        metered(() -> leases.release(lease), 14);
        JsonNode second = metered(this::acquireAtLength, 14).json();
        metered(() -> leases.revoke(TestSystem.ADMINISTRATOR_KEY, second), 14);
    }

    @Test
    void a_takeover_is_one_transaction() {
        leases.granted(agent, scope, 1);
        system.clock().advanceSeconds(3);
        metered(() -> leases.acquire(agent, scope, 600), 24);
    }

    @Test
    void verifying_and_repeated_requests_write_nothing() {
        JsonNode lease = leases.granted(agent, scope, 600);
        system.meter().reset();
        leases.verify(lease);
        leases.acquire(agent, scope, 600);
        assertThat(system.meter().writeUnits()).isZero();
        assertThat(system.meter().operations()).doesNotContain("Scan", "TransactWriteItems");
    }

    @Test
    void conflicts_with_other_transactions_are_retried() {
        List<Runnable> faults = List.of(
                () -> system.faults().cancelByConflict(TransactWriteItemsRequest.class),
                () -> system.faults().throttleOn(TransactWriteItemsRequest.class),
                () -> system.faults().loseAnswerOf(TransactWriteItemsRequest.class));
        for (int i = 0; i < faults.size(); i++) {
            Runnable fault = faults.get(i);
            String place = scope + i;
            fault.run();
            TestApi.Response granted = leases.acquire(agent, place, 600);
            assertThat(granted.status()).as(granted.text()).isEqualTo(201);
            JsonNode lease = granted.json();
            fault.run();
            assertThat(leases.renew(lease, 700).status()).isEqualTo(200);
            assertThat(leases.shown(lease).get("expires_at")).isNotEqualTo(lease.get("expires_at"));
            fault.run();
            assertThat(leases.release(lease).status()).isEqualTo(204);
            assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.released");
            assertThat(leases.events().stream()
                            .filter(e -> e.get("scope").textValue().equals(place)))
                    .hasSize(2);
        }
    }

    @Test
    void a_lasting_conflict_gets_503_and_changes_nothing() {
        for (int i = 0; i < 200; i++) {
            system.faults().cancelByConflict(TransactWriteItemsRequest.class);
        }
        TestApi.Response busy = leases.acquire(agent, scope, 600);
        system.faults().clear();
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.header("Retry-After")).isNotEmpty();
        assertThat(leases.events().stream()
                        .filter(e -> e.get("scope").textValue().equals(scope)))
                .isEmpty();
        leases.granted(agent, scope, 600);
    }

    /** Acquires a lease with ids of maximum length. */
    private TestApi.Response acquireAtLength() {
        return system.api()
                .post("/api/v1/intents/" + MAX_ID + "/leases")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + agent + "\",\"scope\":\"" + MAX_ID + "\",\"duration_seconds\":86400}")
                .send();
    }

    private TestApi.Response metered(Supplier<TestApi.Response> request, int units) {
        system.meter().reset();
        TestApi.Response response = request.get();
        assertThat(response.status()).as(response.text()).isBetween(200, 204);
        List<RequestMeter.Call> transactions = system.meter().calls().stream()
                .filter(call -> call.operation().equals("TransactWriteItems"))
                .toList();
        assertThat(transactions).hasSize(1);
        assertThat(system.meter().operations()).doesNotContain("Scan", "PutItem", "UpdateItem", "DeleteItem");
        assertThat(system.meter().writeUnits()).isPositive().isLessThanOrEqualTo(units);
        return response;
    }
}
