package dev.agenthealth.functions.storage.health;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.ClosedSlices;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.Optional;

/**
 * All that an agent's health is computed from, but for the slices that are not closed.
 *
 * @param mark why it is to be computed
 * @param profile empty for an agent that the registry does not know
 * @param pulse empty for an agent that is buried or unknown
 * @param standing what the agent's row knows of its health; {@link HealthSummary#NONE} where it has none
 * @param health the health as computed last; empty where this is the first time
 * @param revision of the health; 0 where there is none
 * @param closed the closed slices; empty where they are to be collected
 * @param closedRevision of the closed slices; 0 where there are none
 */
public record MeasurementInputs(
        Mark mark,
        Optional<AgentProfile> profile,
        Optional<Pulse> pulse,
        HealthSummary standing,
        Optional<AgentHealth> health,
        long revision,
        Optional<ClosedSlices> closed,
        long closedRevision) {}
