package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Instant;

/**
 * The part of a health document that does not follow from outcomes, from the profile at the time of the computation.
 *
 * @param agentUri the URI that is shown as the agent's id; empty where it declares none
 * @param hasCard whether the registry serves an agent card of it, whose URL is its id where it declares none (§4.2)
 * @param personal whether it serves one natural person, so that its health is shown coarsely (Agent Health State §8)
 * @param startedAt when its process started, as it reported when it last registered, else that registration (Agent Health State §4.3)
 * @param restarts when it registered again
 * @param modelChangedAt when its model changed; {@link Instant#MIN} where that is unknown (§4.5)
 * @param capabilitiesUpdatedAt when its capabilities last changed (§4.5)
 */
public record HealthSubject(
        String agentUri,
        boolean hasCard,
        boolean personal,
        Instant startedAt,
        Restarts restarts,
        Instant modelChangedAt,
        Instant capabilitiesUpdatedAt) {

    /** Returns this subject of an agent whose process started at this moment. */
    HealthSubject started(Instant moment) {
        return new HealthSubject(agentUri, hasCard, personal, moment, restarts, modelChangedAt, capabilitiesUpdatedAt);
    }

    /** Returns this subject of an agent whose process started again at this moment. */
    HealthSubject restarted(Instant moment) {
        return new HealthSubject(
                agentUri, hasCard, personal, moment, restarts.and(moment), modelChangedAt, capabilitiesUpdatedAt);
    }
}
