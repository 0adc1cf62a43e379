package dev.agenthealth.model.event;

import dev.agenthealth.model.trust.Block;
import dev.agenthealth.model.trust.TrustSubject;
import java.util.LinkedHashMap;
import java.util.Map;

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
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("type", EventType.AGENT_TRUST.wireName());
        detail.put(agent ? "agent_id" : "provider_id", subject.id());
        detail.put("action", decided.inForce() ? "blocked" : "unblocked");
        detail.put("reason", decided.reason().isEmpty() ? NO_REASON : decided.reason());
        if (decided.inForce() && decided.hasEnd()) {
            detail.put("until", decided.until().toString());
        }
        detail.put("actor", decided.actor());
        detail.put("timestamp", decided.at().toString());
        detail.put("event_id", eventId);
        detail.put("revision", decided.revision());
        return new Event(eventId, EventType.AGENT_TRUST, "", 0, decided.at(), detail);
    }
}
