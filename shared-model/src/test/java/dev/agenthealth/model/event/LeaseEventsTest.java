package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lease.Leases;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R16-26")
class LeaseEventsTest {

    private static final Instant END = Leases.T0.plusSeconds(7);

    @Test
    void a_grant_contains_all_fields_of_the_lease() {
        Event event = LeaseEvents.acquired(Leases.active());
        assertThat(event.type().wireName()).isEqualTo("lease.acquired");
        assertThat(event.isOfIntent()).isTrue();
        assertThat(event.intentId()).isEqualTo("intent_1");
        assertThat(event.agentId()).isEqualTo("agent_1");
        assertThat(event.at()).isEqualTo(Leases.T0);
        assertThat(event.detail())
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("type", "lease.acquired"),
                        Map.entry("intent_id", "intent_1"),
                        Map.entry("lease_id", "lease_1"),
                        Map.entry("agent_id", "agent_1"),
                        Map.entry("role_id", "billing"),
                        Map.entry("scope", "invoices"),
                        Map.entry("fencing_token", 4711L),
                        Map.entry("expires_at", "2026-02-08T10:05:00.000Z"),
                        Map.entry("timestamp", "2026-02-08T10:00:00.000Z"),
                        Map.entry("severity", "info"),
                        Map.entry("event_id", event.eventId()),
                        Map.entry("incarnation", 3L)));
    }

    @ParameterizedTest
    @CsvSource({
        "RELEASED, NONE,               lease.released, ''",
        "RELEASED, AGENT_DEREGISTERED, lease.released, agent_deregistered",
        "EXPIRED,  TIMEOUT,            lease.expired,  timeout",
        "EXPIRED,  AGENT_DEAD,         lease.expired,  agent_dead",
        "REVOKED,  REVOKED,            lease.revoked,  revoked"
    })
    void an_end_contains_status_reason_and_time(LeaseStatus status, LeaseReason reason, String type, String word) {
        Event event = LeaseEvents.ended(Leases.active().ended(status, reason, END));
        assertThat(event.type().wireName()).isEqualTo(type);
        assertThat(event.at()).isEqualTo(END);
        assertThat(event.detail()).containsEntry("type", type).containsEntry("timestamp", Timestamps.text(END));
        if (word.isEmpty()) {
            assertThat(event.detail()).doesNotContainKey("reason");
        } else {
            assertThat(event.detail()).containsEntry("reason", word);
        }
    }

    @Test
    void every_event_of_a_lease_has_a_stable_id_of_its_own() {
        Lease lease = Leases.active();
        Lease released = lease.ended(LeaseStatus.RELEASED, LeaseReason.NONE, END);
        List<String> ids = List.of(
                LeaseEvents.acquired(lease).eventId(),
                LeaseEvents.ended(released).eventId(),
                LeaseEvents.ended(lease.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, END))
                        .eventId(),
                LeaseEvents.ended(lease.ended(LeaseStatus.REVOKED, LeaseReason.REVOKED, END))
                        .eventId());
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(LeaseEvents.ended(released).eventId()).isEqualTo(ids.get(1));
    }

    @Test
    void an_active_lease_has_no_end_event() {
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseEvents.ended(Leases.active()));
    }
}
