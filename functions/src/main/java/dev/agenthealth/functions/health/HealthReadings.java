package dev.agenthealth.functions.health;

import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.health.HealthStore.StoredHealth;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.HealthRule;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.ProbeHealth;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Watch;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the health of agents and of the registry. Thread-safe. */
public final class HealthReadings {

    private final HealthStore healths;
    private final AgentStore agents;
    private final PulseStore pulses;
    private final ProbeStore probes;
    private final Clock clock;

    public HealthReadings(Database database, Clock clock) {
        this.healths = new HealthStore(database);
        this.agents = new AgentStore(database);
        this.pulses = new PulseStore(database);
        this.probes = new ProbeStore(database);
        this.clock = clock;
    }

    /**
     * Returns an agent's health, up to about one second old. Costs one request of one read unit.
     *
     * <p>Costs one more request in three cases. If no health was computed yet, it reads the profile (half a unit). If a watched agent has
     * no executions, it reads the probes. If an agent is archived, it reads the tombstone.
     *
     * @throws ApiError 404 for an unknown agent; 410 for a deregistered agent
     */
    HealthReading recent(String agentId) {
        Optional<StoredHealth> stored = healths.find(agentId, false);
        Instant now = clock.instant();
        Optional<Pulse> pulse = stored.flatMap(StoredHealth::pulse);
        HealthReading reading = unlessDeregistered(stored.flatMap(StoredHealth::health)
                .map(health ->
                        pulse.map(known -> HealthReading.of(health, known, now)).orElseGet(() -> archived(health, now)))
                .map(computed -> computed.ifDueSince(dueSince(stored)))
                .orElseGet(() -> uncomputed(agentId, pulse.orElseGet(() -> pulse(agentId)))));
        return observed(reading, stored.map(StoredHealth::watchSeconds).orElse(Watch.NOT_WATCHED));
    }

    /** Adds the results of probes to a reading, if the agent is watched and has no executions. */
    HealthReading observed(HealthReading reading, int watchSeconds) {
        if (watchSeconds == Watch.NOT_WATCHED || !reading.isWithoutExecutions()) {
            return reading;
        }
        return ProbeHealth.of(
                        probes.find(reading.health().agentId()),
                        watchSeconds,
                        reading.health().measurement().expectations().window().length(),
                        reading.at())
                .map(reading::observed)
                .orElse(reading);
    }

    /**
     * Returns an agent's current health.
     *
     * @throws ApiError 410 for a deregistered agent
     */
    HealthReading fresh(StoredAgent agent) {
        Optional<StoredHealth> stored = healths.find(agent.pulse().agentId(), true);
        return unlessDeregistered(asComputed(agent, stored).ifDueSince(dueSince(stored)));
    }

    /**
     * Returns an agent's current status for the public. The status of a personal agent has no nuances (Agent Health State §8).
     *
     * @throws ApiError 410 for a deregistered agent
     */
    public HealthStatus publicStatus(StoredAgent agent) {
        HealthReading reading = fresh(agent);
        return reading.health().subject().personal() ? reading.coarseStatus() : reading.status();
    }

    /**
     * Returns an agent's health as last computed.
     *
     * @throws ApiError 410 for a deregistered agent
     */
    HealthReading asComputed(StoredAgent agent) {
        return unlessDeregistered(asComputed(agent, healths.find(agent.pulse().agentId(), true)));
    }

    private HealthReading asComputed(StoredAgent agent, Optional<StoredHealth> stored) {
        Instant now = clock.instant();
        return stored.flatMap(StoredHealth::health)
                .map(health -> health.about(HealthRule.subject(agent.profile())))
                .map(health -> HealthReading.of(health, agent.pulse(), now))
                .orElseGet(() -> HealthReading.uncomputed(agent.profile(), agent.pulse(), now));
    }

    private static Instant dueSince(Optional<StoredHealth> stored) {
        return stored.map(StoredHealth::dueSince).orElse(Instant.MAX);
    }

    /**
     * Returns the current state of an agent, without its health.
     *
     * @throws ApiError 404 for an unknown agent
     */
    public StoredAgent agent(String agentId) {
        return agents.find(agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
    }

    /** Returns the registry's own health. */
    HealthReading ofRegistry(boolean fresh) {
        return RegistryHealth.reading(healths.ofRegistry(fresh), clock.instant());
    }

    private HealthReading uncomputed(String agentId, Pulse pulse) {
        AgentProfile profile = Optional.ofNullable(
                        agents.profiles(Stream.of(agentId)).get(agentId))
                // The eventually consistent read may not find the profile of a new agent yet.
                .or(() -> agents.profile(agentId))
                .orElseThrow(() -> AgentError.unknownAgent(agentId));
        return HealthReading.uncomputed(profile, pulse, clock.instant());
    }

    /** Returns the reading of an archived agent, which has no row. Its tombstone has its last sign of life. */
    private HealthReading archived(AgentHealth health, Instant now) {
        return agents.tombstone(health.agentId())
                .map(tombstone -> HealthReading.ofArchived(health, tombstone, now))
                .orElseGet(() -> HealthReading.ofArchived(health, now));
    }

    /** Returns the pulse after an eventually consistent read found none: the agent is new, archived or unknown. */
    private Pulse pulse(String agentId) {
        return pulses.find(agentId)
                .or(() -> agents.tombstone(agentId))
                .orElseThrow(() -> AgentError.unknownAgent(agentId));
    }

    private static HealthReading unlessDeregistered(HealthReading reading) {
        if (reading.isOfDeregistered()) {
            throw AgentError.deregistered(reading.health().agentId(), "health");
        }
        return reading;
    }
}
