package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.lifecycle.Restarts;
import java.time.Instant;

/**
 * The part of a health document that does not follow from outcomes. It is taken from the profile at the time of the computation.
 *
 * @param agentUri the URI that the document shows as the agent's id; empty if the agent declares none
 * @param hasCard whether the registry serves the agent's card; the card's URL is the id of an agent without a declared URI (§4.2)
 * @param personal whether the agent serves one natural person, so that documents show its health only coarsely (Agent Health State §8)
 * @param startedAt the process start that the agent reported at its last registration, else the time of that registration (Agent Health State §4.3)
 * @param restarts the times of repeated registrations
 * @param modelChangedAt the last change of the agent's model; {@link Instant#MIN} if unknown (§4.5)
 * @param capabilitiesUpdatedAt the last change of the agent's capabilities (§4.5)
 */
public record HealthSubject(
        String agentUri,
        boolean hasCard,
        boolean personal,
        Instant startedAt,
        Restarts restarts,
        Instant modelChangedAt,
        Instant capabilitiesUpdatedAt) {

    /** Returns this subject with a process that started at this moment. */
    HealthSubject started(Instant moment) {
        return new HealthSubject(agentUri, hasCard, personal, moment, restarts, modelChangedAt, capabilitiesUpdatedAt);
    }

    /** Returns this subject with one more restart at this moment. */
    HealthSubject restarted(Instant moment) {
        return new HealthSubject(
                agentUri, hasCard, personal, moment, restarts.and(moment), modelChangedAt, capabilitiesUpdatedAt);
    }
}
