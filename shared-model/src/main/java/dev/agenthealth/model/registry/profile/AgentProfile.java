package dev.agenthealth.model.registry.profile;

import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import java.time.Instant;

/**
 * The declaration of an agent about itself: the part of the agent record (RFC-0016 §1) that only registrations and profile changes write.
 *
 * @param agentId the instance
 * @param roleId the role, stable over instances (RFC-0016 §8); empty without a role
 * @param description the name, the provider and other texts
 * @param agentInterface the capabilities and the endpoint
 * @param maxConcurrentTasks the maximum number of concurrent tasks, or {@link dev.agenthealth.model.registry.lifecycle.Workload#NOT_DECLARED}
 * @param heartbeatConfig the interval and the thresholds, valid
 * @param watch the way in which the registry probes the agent
 * @param basis the model and the expectations for measurements
 * @param history the registrations of the id
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

    /** Returns the version of the agent's program if versions of its role are compared; empty without a role or a version. */
    public String comparedVersion() {
        return roleId.isEmpty() ? "" : description.version();
    }

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
     * Returns the way in which the registry probes the agent: always if it is watched, and only before its death if it wants its death confirmed.
     * Otherwise {@link Watch#NONE}.
     */
    public Watch asked() {
        return heartbeatConfig.lifeSigns().confirmsDeath() && !watch.isWatched() ? Watch.BEFORE_DEATH : watch;
    }

    /** Returns the beginning of the measurement: the first registration, or the restart of the measurement. */
    public Instant measuredFrom() {
        return basis.restartedAt().isAfter(history.registeredAt()) ? basis.restartedAt() : history.registeredAt();
    }

    /**
     * Returns this profile as the successor of an earlier profile of the id. It keeps the date of the first registration and the dates of unchanged
     * parts. It counts a restart unless the same process registers again.
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

    /** Returns this profile with another basis of its measurement. */
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

    /** Returns this profile with another interface. */
    public AgentProfile with(AgentInterface changed) {
        return new AgentProfile(
                agentId, roleId, description, changed, maxConcurrentTasks, heartbeatConfig, watch, basis, history);
    }

    /** Returns this profile with a provider; the provider may be empty. */
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
