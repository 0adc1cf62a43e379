package dev.agenthealth.client;

import static dev.agenthealth.client.ScriptedTransport.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leases are renewed while they are open, and their loss is reported when it happens. */
class LeaseTest {

    private final FakeRegistry registry = new FakeRegistry();
    private final ManagedAgent agent =
            registry.client().build().agent(Registration.of("a")).start();
    private final List<String> lost = new ArrayList<>();

    private LeaseRequest request() {
        return agent.lease("invoice_42", "send")
                .duration(Duration.ofSeconds(60))
                .onLost(lease -> lost.add(lease.id()));
    }

    private void advance(int seconds) {
        registry.scheduler.advance(Duration.ofSeconds(seconds));
    }

    private long renewals() {
        return registry.sent.stream()
                .filter(sent -> sent.method().equals("PATCH"))
                .count();
    }

    @Test
    void a_lease_is_renewed_until_it_is_closed_and_then_released() {
        HeldLease lease = request().acquire();
        assertThat(lease.fencingToken()).isEqualTo(7);
        assertThat(registry.sentTo("/leases").get(0).body())
                .hasToString(
                        """
                        {"agent_id":"a","scope":"send","duration_seconds":60,"incarnation":1}\
                        """);

        advance(600);
        assertThat(lease.isHeld()).isTrue();
        assertThat(renewals()).isBetween(30L, 34L);
        lease.close();
        advance(600);

        assertThat(renewals()).isLessThan(35);
        assertThat(registry.sentTo("/lease_1")).anyMatch(sent -> sent.method().equals("DELETE"));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lost).isEmpty();
    }

    @Test
    void a_lease_that_the_registry_ended_is_reported_as_lost() {
        HeldLease lease = request().acquire();
        registry.refuse("/lease_1", 412, "lease_not_in_force");

        advance(20);

        assertThat(lost).containsExactly("lease_1");
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::requireHeld)
                .withMessageContaining("lease_not_in_force");
        long requests = registry.sent.size();
        lease.close();
        assertThat(registry.sent).hasSize((int) requests);
    }

    @Test
    void a_short_outage_loses_no_lease() {
        HeldLease lease = request().acquire();
        registry.goAway();
        advance(30);
        registry.comeBack();
        advance(60);

        assertThat(lease.isHeld()).isTrue();
        assertThat(lost).isEmpty();
    }

    @Test
    void a_lease_is_lost_at_the_moment_at_which_it_would_expire_while_the_registry_is_away() {
        HeldLease lease = request().acquire();
        registry.goAway();

        advance(59);
        assertThat(lease.isHeld()).isTrue();
        advance(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lost).containsExactly("lease_1");
    }

    @Test
    void the_death_of_the_agent_loses_its_leases() {
        HeldLease lease = request().duration(Duration.ofHours(1)).acquire();
        registry.refuse("/heartbeat", 410, "agent_gone");

        advance(30);

        assertThat(lost).containsExactly("lease_1");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void a_lease_that_the_agent_had_before_is_renewed_at_once_so_that_its_end_is_known() {
        registry.refuse("/leases", answer(200, "{'id':'lease_1','intent_id':'i','scope':'s','fencing_token':7}"));

        HeldLease lease = request().acquire();

        assertThat(renewals()).isEqualTo(1);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void a_scope_that_another_agent_holds_is_a_conflict_or_nothing() {
        registry.refuse(
                "/leases", answer(409, "{'error':'lease_held','detail':'d','available_at':'2026-02-08T10:05:00Z'}"));

        assertThat(request().tryAcquire()).isEmpty();
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> request().acquire())
                .satisfies(conflict -> assertThat(
                                conflict.document().path("available_at").asText())
                        .isEqualTo("2026-02-08T10:05:00Z"));
    }

    @Test
    void a_drain_waits_for_open_leases() {
        HeldLease lease = request().acquire();
        agent.drain("");
        registry.add("/heartbeat", "'agent_status':'draining'");
        advance(300);
        assertThat(agent.state()).isEqualTo(AgentState.DRAINING);
        assertThat(registry.heartbeats()).hasSizeLessThan(14);

        registry.refuse("/heartbeat", 410, "agent_gone");
        lease.close();
        registry.scheduler.runDue();

        assertThat(agent.whenEnded().toCompletableFuture()).isCompletedWithValue(AgentEnd.DRAINED);
        assertThat(lost).isEmpty();
    }

    @Test
    void a_lease_that_is_closed_while_the_registry_is_away_is_released_when_it_is_back() {
        HeldLease lease = request().acquire();
        registry.goAway();

        lease.close();
        assertThat(registry.scheduler.nanoTime()).isZero();
        assertThat(lease.isHeld()).isFalse();
        advance(20);
        registry.comeBack();
        long before = releases();
        advance(40);

        assertThat(releases()).isEqualTo(before + 1);
        assertThat(renewals()).isZero();
    }

    private long releases() {
        return registry.sentTo("/lease_1").stream()
                .filter(sent -> sent.method().equals("DELETE"))
                .count();
    }

    @Test
    void a_release_is_not_tried_beyond_the_end_of_the_lease() {
        HeldLease lease = request().acquire();
        registry.goAway();
        lease.close();
        advance(120);
        long tries = releases();

        advance(600);

        assertThat(releases()).isEqualTo(tries);
    }
}
