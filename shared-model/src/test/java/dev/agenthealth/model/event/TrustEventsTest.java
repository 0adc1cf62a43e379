package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("SN-03")
class TrustEventsTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00.000Z");

    @Test
    void a_block_of_an_agent_has_reason_actor_and_time() {
        Event event = TrustEvents.decided(
                new TrustSubject.OfAgent("agent_1"), new Block(true, "manual review", "key-1", NOW, 7));
        assertThat(event.type()).isEqualTo(EventType.AGENT_TRUST);
        assertThat(event.type().wireName()).isEqualTo("agent.trust");
        assertThat(event.isOfRegistry()).isTrue();
        assertThat(event.at()).isEqualTo(NOW);
        assertThat(event.detail().toString())
                .isEqualTo(
                        "{type=agent.trust, agent_id=agent_1, action=blocked, reason=manual review, actor=key-1,"
                                + " revision=7, timestamp=2026-02-08T10:00:00.000Z, severity=warning, event_id=trust:agent:agent_1:7}");
    }

    @Test
    void an_unblocking_of_a_provider_has_reason_actor_and_time() {
        Event event = TrustEvents.decided(
                new TrustSubject.OfProvider("acme-labs"), new Block(false, "manual review", "key-2", NOW, 8));
        assertThat(event.eventId()).isEqualTo("trust:provider:acme-labs:8");
        assertThat(event.detail())
                .containsEntry("provider_id", "acme-labs")
                .containsEntry("action", "unblocked")
                .containsEntry("reason", "manual review")
                .containsEntry("actor", "key-2")
                .doesNotContainKey("agent_id");
    }
}
