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
 * @param lastHealth the last computed health; empty if it was never computed
 * @param closedSlices the closed slices; empty if they have to be collected
 */
public record MeasurementInputs(
        String agentId,
        long dueNumber,
        Optional<AgentProfile> profile,
        Optional<Pulse> pulse,
        HealthSummary summary,
        Revised<AgentHealth> lastHealth,
        Revised<ClosedSlices> closedSlices) {

    /**
     * A stored value with its revision.
     *
     * @param revision the number of changes; 0 if there is no value
     */
    public record Revised<T>(Optional<T> value, long revision) {}

    public Optional<AgentHealth> health() {
        return lastHealth.value();
    }

    public long revision() {
        return lastHealth.revision();
    }

    public Optional<ClosedSlices> closed() {
        return closedSlices.value();
    }

    public long closedRevision() {
        return closedSlices.revision();
    }
}
