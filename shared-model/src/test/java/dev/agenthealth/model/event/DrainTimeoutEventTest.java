package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.DrainRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.lifecycle.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The warning of a drain that ran out with work left (RFC-0016 §5.2). */
@Tag("R16-20")
class DrainTimeoutEventTest {

    private static final Instant DEADLINE = Pulses.T0.plus(Drain.DEFAULT_TIMEOUT);

    @Test
    void the_warning_is_published_right_before_the_transition_to_dead() {
        List<Event> events = AgentEvents.of(death(), "billing", List.of("c"));
        assertThat(events)
                .extracting(Event::type)
                .containsExactly(EventType.AGENT_DRAIN_TIMEOUT, EventType.AGENT_LIFECYCLE);
        assertThat(events.get(1).sequence()).isEqualTo(events.get(0).sequence() + 1);
        assertThat(events.get(0).detail())
                .containsEntry("role_id", "billing")
                .containsEntry("deadline_at", Timestamps.text(DEADLINE));
    }

    @Test
    void an_agent_without_a_role_has_none_in_any_of_its_events() {
        assertThat(AgentEvents.of(death(), "", List.of())).hasSize(2).noneMatch(event -> event.detail()
                .containsKey("role_id"));
    }

    @Test
    @Tag("R16-14")
    void every_event_of_a_drain_says_why_and_who_requested_it() {
        PendingDrain command = new PendingDrain("maintenance", Duration.ofSeconds(60), "key_1");
        Transition start =
                DrainRule.start(Pulses.active().withPendingDrain(command), command.timeout(), "key_2", true, Pulses.T0);
        Transition completion = DrainRule.completion(start.after(), DEADLINE);
        Transition death =
                DrainRule.end(start.after(), true, Pulses.NO_GRACE, DEADLINE).orElseThrow();
        for (Transition transition : List.of(start, completion, death)) {
            assertThat(AgentEvents.of(transition, "billing", List.of())).allSatisfy(event -> assertThat(event.detail())
                    .containsEntry("drain_reason", "maintenance")
                    .containsEntry("requested_by", "key_1"));
        }
    }

    @Test
    void an_event_of_another_change_names_no_drain() {
        Pulse draining = Pulses.in(LifecycleStatus.DRAINING);
        Transition removal = Transition.now(
                draining,
                draining.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, DEADLINE),
                LifecycleReason.DEREGISTERED,
                DEADLINE);
        assertThat(AgentEvents.of(removal, "", List.of()).get(0).detail())
                .doesNotContainKeys("drain_reason", "requested_by");
    }

    private static Transition death() {
        return DrainRule.end(Pulses.in(LifecycleStatus.DRAINING), true, Pulses.NO_GRACE, DEADLINE.plusSeconds(1))
                .orElseThrow();
    }
}
