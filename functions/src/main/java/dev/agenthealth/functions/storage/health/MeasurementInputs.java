package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;

/**
 * The inputs of the computation of an agent's health, except the open slices.
 *
 * @param agentId the agent
 * @param dueNumber how often the health became due; 0 if it never did
 * @param profile empty for an unknown agent
 * @param pulse empty for an archived or unknown agent
 * @param summary the health summary in the agent's row; {@link HealthSummary#NONE} if there is none
 * @param health the last computed health; empty if it was never computed
 * @param revision the revision of the health; 0 if there is none
 * @param closed the closed slices; empty if they have to be collected
 * @param closedRevision the revision of the closed slices; 0 if there are none
 */
public record MeasurementInputs(
        String agentId,
        long dueNumber,
        Optional<AgentProfile> profile,
        Optional<Pulse> pulse,
        HealthSummary summary,
        Optional<AgentHealth> health,
        long revision,
        Optional<ClosedSlices> closed,
        long closedRevision) {}
