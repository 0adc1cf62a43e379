package dev.agenthealth.model.event;

import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentReason;
import dev.agenthealth.model.health.containment.ContainmentRule;
import dev.agenthealth.model.health.containment.HeldBack;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;

/** The events about containment rules. A block that a rule writes has the event of every block. */
public final class ContainmentEvents {

    private ContainmentEvents() {}

    /**
     * Returns the event of a rule that acted on an agent, or would have acted, for the agent's log.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param roleId the agent's role; empty for none
     */
    public static Event did(ContainmentRule rule, ContainmentCase open, Pulse counted, String roleId, Instant now) {
        EventType type = rule.enforces() ? EventType.CONTAINMENT_ACTED : EventType.CONTAINMENT_WOULD_ACT;
        return new EventDetail(type)
                .with("rule", rule.name())
                .with("agent_id", counted.agentId())
                .withText("role_id", roleId)
                .with("action", rule.action().wireName())
                .with(
                        "reasons",
                        open.reasons().stream()
                                .sorted()
                                .map(ContainmentReason::wireName)
                                .toList())
                .with("since", open.since())
                .with("timestamp", now)
                .ofAgent(counted.agentId(), counted.incarnation(), counted.sequence(), now);
    }

    /**
     * Returns the event of a rule whose guards began to hold back agents.
     *
     * @param roleId the role of the first of these agents; empty for none
     */
    public static Event heldBack(ContainmentRule rule, String roleId, HeldBack held) {
        return new EventDetail(EventType.CONTAINMENT_HELD_BACK)
                .with("rule", rule.name())
                .withText("role_id", roleId)
                .with("guard", held.guard().wireName())
                .with("agents", held.agents())
                .ofRegistry(
                        "containment:" + rule.name() + ":held:" + held.since().toEpochMilli(), held.since());
    }
}
