package dev.agenthealth.model.event;

import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;

/**
 * The events about blocks. Events about an agent belong to its own log. Events about a provider, or about an id that is not registered, belong to
 * the registry's log. {@code revision} orders the events of one agent or provider.
 */
public final class TrustEvents {

    /** The reason of a block without one. Subscribers always find a text. */
    private static final String NO_REASON = "no reason given";

    private TrustEvents() {}

    /**
     * Returns the event of a block, or of its end, for the registry's log.
     *
     * @param decided the decision; its reason says why the agent or provider is or was blocked
     */
    public static Event decided(TrustSubject subject, Block decided) {
        boolean agent = subject instanceof TrustSubject.OfAgent;
        String eventId = "trust:" + (agent ? "agent:" : "provider:") + subject.id() + ":" + decided.revision();
        return detail(agent ? "agent_id" : "provider_id", subject.id(), "", decided)
                .ofRegistry(eventId, decided.at());
    }

    /**
     * Returns the event of a block, or of its end, for the log of a registered agent.
     *
     * @param counted the agent, with the event already counted in its sequence
     * @param roleId the agent's role; empty for none
     */
    public static Event decided(Pulse counted, String roleId, Block decided) {
        return detail("agent_id", counted.agentId(), roleId, decided)
                .with("timestamp", decided.at())
                .ofAgent(counted.agentId(), counted.incarnation(), counted.sequence(), decided.at());
    }

    /** Returns the event of a stop. */
    public static Event stopped(Stop stop) {
        return new EventDetail(EventType.REGISTRY_STOPPED)
                .with("stop", stop.scope().text())
                .with("actor", stop.actor())
                .ofRegistry(id(stop.scope(), "begun", stop.at()), stop.at());
    }

    /** Returns the event of the end of a stop. */
    public static Event lifted(StopScope scope, String actor, Instant now) {
        return new EventDetail(EventType.REGISTRY_STOP_LIFTED)
                .with("stop", scope.text())
                .with("actor", actor)
                .ofRegistry(id(scope, "lifted", now), now);
    }

    private static String id(StopScope scope, String step, Instant at) {
        return "stop:" + scope.text() + ":" + step + ":" + at.toEpochMilli();
    }

    private static EventDetail detail(String idName, String id, String roleId, Block decided) {
        EventDetail detail = new EventDetail(EventType.AGENT_TRUST, EventSeverity.ofTrust(decided.inForce()))
                .with(idName, id)
                .withText("role_id", roleId)
                .with("action", (decided.inForce() ? BlockAction.BLOCKED : BlockAction.UNBLOCKED).wireName())
                .with("reason", decided.reason().isEmpty() ? NO_REASON : decided.reason());
        if (decided.hasEnd()) {
            detail.with("until", decided.until());
        }
        return detail.with("actor", decided.actor()).with("revision", decided.revision());
    }
}
