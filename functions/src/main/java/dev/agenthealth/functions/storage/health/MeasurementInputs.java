package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;

/**
 * Everything that an agent's health is computed from, except the slices that are not closed.
 *
 * @param agentId the agent
 * @param dueNumber how often the health became due; 0 where it never did
 * @param profile empty for an unknown agent
 * @param pulse empty for an archived or unknown agent
 * @param summary the health summary in the agent's row; {@link HealthSummary#NONE} where there is none
 * @param health the health as last computed; empty where it never was
 * @param revision the revision of the health; 0 where there is none
 * @param closed the closed slices; empty where they are to be collected
 * @param closedRevision the revision of the closed slices; 0 where there are none
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
