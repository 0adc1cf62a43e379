package dev.agenthealth.model.event;

import dev.agenthealth.model.trust.Block;
import dev.agenthealth.model.trust.TrustSubject;

/**
 * The events of blocks. They belong to the registry's own log, since operators decide them and an agent that is gone can be blocked as well;
 * {@code revision} puts the events of one agent or provider in order.
 */
public final class TrustEvents {

    /** The reason of a block for which the operator gave none: subscribers always find a text. */
    private static final String NO_REASON = "no reason given";

    private TrustEvents() {}

    /**
     * An operator blocked or unblocked.
     *
     * @param decided the decision in force; its reason is why the agent or provider is, or was, blocked
     */
    public static Event decided(TrustSubject subject, Block decided) {
        boolean agent = subject instanceof TrustSubject.OfAgent;
        String eventId = "trust:" + (agent ? "agent:" : "provider:") + subject.id() + ":" + decided.revision();
        EventDetail detail = new EventDetail(EventType.AGENT_TRUST)
                .with(agent ? "agent_id" : "provider_id", subject.id())
                .with("action", decided.inForce() ? "blocked" : "unblocked")
                .with("reason", decided.reason().isEmpty() ? NO_REASON : decided.reason());
        if (decided.inForce() && decided.hasEnd()) {
            detail.with("until", decided.until());
        }
        return detail.with("actor", decided.actor())
                .with("revision", decided.revision())
                .ofRegistry(eventId, decided.at());
    }
}
