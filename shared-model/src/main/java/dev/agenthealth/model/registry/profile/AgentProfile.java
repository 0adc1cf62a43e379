package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import java.time.Instant;

/**
 * The declaration of an agent about itself: the part of the agent record (RFC-0016 §1) that only registrations and profile changes write.
 *
 * @param agentId the instance
 * @param roleId the role, stable over instances (RFC-0016 §8); empty for none
 * @param description name, provider and the like
 * @param agentInterface what the agent can do and where it is called
 * @param maxConcurrentTasks tasks at once, or {@link dev.agenthealth.model.registry.lifecycle.Workload#NOT_DECLARED}
 * @param heartbeatConfig interval and thresholds, valid
 * @param watch how the registry asks whether it lives
 * @param basis what the agent is measured against
 * @param history when the id registered
 */
public record AgentProfile(
        String agentId,
        String roleId,
        Description description,
        AgentInterface agentInterface,
        int maxConcurrentTasks,
        HeartbeatConfig heartbeatConfig,
        Watch watch,
        MeasurementBasis basis,
        RegistrationHistory history) {

    /** Returns the part that lists of agents show. */
    public ListedProfile listed() {
        return new ListedProfile(
                roleId,
                description.name(),
                description.providerId(),
                agentInterface.capabilities(),
                agentInterface.kind(),
                description.inCatalogue());
    }

    /**
     * Returns how the registry asks the agent: all the time where it is watched, only before it is marked as dead where it wants that confirmed;
     * {@link Watch#NONE} where it does not.
     */
    public Watch asked() {
        return heartbeatConfig.lifeSigns().confirmsDeath() && !watch.isWatched() ? Watch.BEFORE_DEATH : watch;
    }

    /** Returns when the measurement began: at the first registration, or when it restarted. */
    public Instant measuredFrom() {
        return basis.restartedAt().isAfter(history.registeredAt()) ? basis.restartedAt() : history.registeredAt();
    }

    /**
     * Returns the same profile, of an id that registered before with {@code previous}: it keeps the date of the first registration and
     * the dates of what has not changed, and counts a restart unless the same process registers again.
     */
    public AgentProfile succeeding(AgentProfile previous, boolean sameProcess, Instant now) {
        return new AgentProfile(
                agentId,
                roleId,
                description,
                agentInterface.replacing(previous.agentInterface, now),
                maxConcurrentTasks,
                heartbeatConfig,
                watch,
                basis.replacing(previous.basis, now),
                history.succeeding(previous.history, sameProcess, now));
    }

    /** Returns the same profile with another basis of its measurement. */
    public AgentProfile with(MeasurementBasis newBasis) {
        return new AgentProfile(
                agentId,
                roleId,
                description,
                agentInterface,
                maxConcurrentTasks,
                heartbeatConfig,
                watch,
                newBasis,
                history);
    }

    /** Returns the same profile with another interface. */
    public AgentProfile with(AgentInterface changed) {
        return new AgentProfile(
                agentId, roleId, description, changed, maxConcurrentTasks, heartbeatConfig, watch, basis, history);
    }

    /** Returns the same profile of an agent of this provider, whose id is empty for none. */
    public AgentProfile of(String provider) {
        return new AgentProfile(
                agentId,
                roleId,
                description.of(provider),
                agentInterface,
                maxConcurrentTasks,
                heartbeatConfig,
                watch,
                basis,
                history);
    }
}
