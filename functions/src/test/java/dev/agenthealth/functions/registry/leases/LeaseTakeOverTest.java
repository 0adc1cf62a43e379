package dev.agenthealth.functions.registry.leases;

import static dev.agenthealth.functions.registry.leases.LeaseClient.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.testkit.Interleavings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Who gets a scope after its lease ended, and when. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-17")
@Tag("R16-27")
class LeaseTakeOverTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final LeaseClient leases = new LeaseClient(system.api());
    private int number;
    private String holder;
    private String other;
    private String scope;

    @BeforeEach
    void register() {
        number++;
        holder = TestAgent.registered(system, "holder-" + number).id();
        other = TestAgent.registered(system, "other-" + number).id();
        scope = "scope-" + number;
    }

    @ParameterizedTest(name = "{0} ms after the expiry, the end marked by the sweep: {1}")
    @CsvSource({
        "0,    true,  409, 2", "70,   true,  409, 2", "1999, true,  409, 1", "2000, true,  201, ''",
        "0,    false, 409, 2", "70,   false, 409, 2", "1999, false, 409, 1", "2000, false, 201, ''"
    })
    void another_agent_gets_a_scope_two_seconds_after_its_lease_expired(
            long millis, boolean marked, int status, String retryAfter) {
        JsonNode expired = expired(millis, marked);
        TestApi.Response answer = leases.acquire(other, scope, 60);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.header("Retry-After")).isEqualTo(retryAfter);
        if (status == 409) {
            assertError(answer, 409, "lease_just_expired");
            assertThat(answer.json().get("available_at").textValue())
                    .isEqualTo(Timestamps.text(expiry(expired).plusSeconds(2)));
            assertThat(answer.json().get("detail").textValue())
                    .contains("expired at " + expiry(expired))
                    .doesNotContain("held");
        } else {
            assertThat(token(answer.json())).isGreaterThan(token(expired));
            sweep();
            assertThat(leases.history(expired)).containsExactly("lease.acquired", "lease.expired timeout");
        }
    }

    @ParameterizedTest(name = "{0} ms after the expiry, the end marked by the sweep: {1}")
    @CsvSource({"0, true", "0, false", "1999, true", "1999, false"})
    void the_former_holder_takes_its_expired_scope_back_at_once(long millis, boolean marked) {
        JsonNode expired = expired(millis, marked);
        JsonNode next = leases.granted(holder, scope, 60);
        assertThat(next.get("id")).isNotEqualTo(expired.get("id"));
        assertThat(token(next)).isGreaterThan(token(expired));
        assertError(leases.verify(expired), 412, "lease_not_in_force");
        assertThat(leases.verify(next).status()).isEqualTo(200);
        sweep();
        assertThat(leases.history(expired)).containsExactly("lease.acquired", "lease.expired timeout");
        TestApi.Response late = leases.acquire(other, scope, 60);
        assertError(late, 409, "lease_held");
        assertThat(late.json().get("available_at").textValue())
                .isEqualTo(Timestamps.text(expiry(next).plusSeconds(2)));
    }

    @ParameterizedTest(name = "{0} ms after the expiry")
    @ValueSource(longs = {0, 1_999, 2_000})
    @Tag("slow")
    void in_every_order_of_a_sweep_the_holder_and_another_agent_one_gets_the_scope(long millis) {
        // The leases of other tests must not expire between two runs.
        system.clock().advanceSeconds(100);
        sweep();
        try (Interleavings orders = new Interleavings(system.dynamoDb(), LeaseTakeOverTest::isAboutLeases)) {
            LeaseClient racing = new LeaseClient(system.apiThrough(orders.client()));
            LeaseExpiry expiry = new LeaseExpiry(new LeaseStore(system.databaseThrough(orders.client())));
            int runs = orders.explore(() -> {
                scope = "scope-" + number + "-" + system.clock().instant().toEpochMilli();
                JsonNode expired = expired(millis, false);
                List<Integer> ofHolder = Collections.synchronizedList(new ArrayList<>());
                List<Integer> ofOther = Collections.synchronizedList(new ArrayList<>());
                return new Interleavings.Scenario() {
                    @Override
                    public List<Runnable> operations() {
                        return List.of(
                                () -> expiry.note(system.clock().instant(), () -> true),
                                () -> ofHolder.add(
                                        racing.acquire(holder, scope, 86_400).status()),
                                () -> ofOther.add(
                                        racing.acquire(other, scope, 86_400).status()));
                    }

                    @Override
                    public void check(List<Integer> order) {
                        if (millis < 2_000) {
                            assertThat(ofHolder).as("order %s", order).containsExactly(201);
                            assertThat(ofOther).as("order %s", order).containsExactly(409);
                        } else {
                            assertThat(List.of(ofHolder.get(0), ofOther.get(0)))
                                    .as("order %s", order)
                                    .containsExactlyInAnyOrder(201, 409);
                        }
                        assertThat(leases.history(expired))
                                .as("order %s", order)
                                .containsExactly("lease.acquired", "lease.expired timeout");
                    }
                };
            });
            assertThat(runs).isGreaterThan(10);
        }
    }

    @Test
    void a_release_and_a_revocation_free_the_scope_for_everyone_at_once() {
        assertThat(leases.release(leases.granted(holder, scope, 60)).status()).isEqualTo(204);
        JsonNode taken = leases.granted(other, scope, 60);
        assertThat(leases.revoke(TestSystem.COORDINATOR_KEY, taken).status()).isEqualTo(200);
        leases.granted(holder, scope, 60);
    }

    @Test
    @Tag("R16-26")
    void the_scope_of_a_dead_agent_is_free_before_its_clean_up() {
        JsonNode lost = leases.granted(holder, scope, 3_600);
        new TestAgent(system, holder).becomeDead();
        assertThat(leases.history(lost)).as("not cleaned up yet").containsExactly("lease.acquired");
        JsonNode next = leases.granted(other, scope, 60);
        assertThat(token(next)).isGreaterThan(token(lost));
        new LeaseCleanUp(new LeaseStore(system.database()))
                .finish(new TestAgent(system, holder).pulse(), system.clock().instant(), () -> true, expired -> {});
        assertThat(leases.history(lost)).containsExactly("lease.acquired", "lease.expired agent_dead");
        assertThat(leases.verify(next).status()).isEqualTo(200);
    }

    @Test
    @Tag("R16-06")
    @Tag("R16-26")
    void an_agent_that_registers_again_gets_the_scopes_of_its_earlier_incarnation() {
        JsonNode lost = leases.granted(holder, scope, 3_600);
        TestAgent agent = new TestAgent(system, holder);
        agent.becomeDead();
        assertThat(agent.register("").status()).isEqualTo(201);
        JsonNode next = leases.granted(holder, scope, 60);
        assertThat(next.get("id")).isNotEqualTo(lost.get("id"));
        assertThat(leases.history(lost)).containsExactly("lease.acquired", "lease.expired agent_dead");
    }

    @Test
    @Tag("R16-29")
    void a_draining_holder_that_asks_again_gets_its_lease() {
        JsonNode lease = leases.granted(holder, scope, 60);
        TestAgent agent = new TestAgent(system, holder);
        assertThat(agent.drain(system.api()).status()).isEqualTo(200);
        TestApi.Response again = leases.acquire(holder, scope, 600);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json()).isEqualTo(lease);
        assertThat(leases.history(lease)).containsExactly("lease.acquired");
        system.clock().advanceSeconds(60);
        assertError(leases.acquire(holder, scope, 60), 409, "agent_takes_no_work");
        assertThat(leases.verify(lease).json().get("detail").textValue()).contains("is expired since " + expiry(lease));
    }

    /** A lease of the holder that expired so long ago. */
    private JsonNode expired(long millis, boolean marked) {
        JsonNode lease = leases.granted(holder, scope, 1);
        system.clock().advance(Duration.ofMillis(1_000 + millis));
        if (marked) {
            sweep();
            assertThat(leases.history(lease)).containsExactly("lease.acquired", "lease.expired timeout");
        }
        return lease;
    }

    private void sweep() {
        new LeaseExpiry(new LeaseStore(system.database())).note(system.clock().instant(), () -> true);
    }

    /** Reads and writes of scopes; other requests are the same in every order. */
    private static boolean isAboutLeases(DynamoDbRequest request) {
        return request instanceof TransactWriteItemsRequest
                || request instanceof GetItemRequest get
                        && get.key().containsKey("sk")
                        && get.key().get("sk").s().startsWith("S#");
    }

    private static Instant expiry(JsonNode lease) {
        return Instant.parse(lease.get("expires_at").textValue());
    }

    private static long token(JsonNode lease) {
        return lease.get("fencing_token").longValue();
    }
}
