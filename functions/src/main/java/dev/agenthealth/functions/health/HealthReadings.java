package dev.agenthealth.functions.health;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.AgentStore;
import dev.agenthealth.functions.storage.HealthStore;
import dev.agenthealth.functions.storage.PulseStore;
import dev.agenthealth.functions.storage.StoredAgent;
import dev.agenthealth.functions.storage.StoredHealth;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Reads the health of agents, and of the registry itself. Thread-safe. */
final class HealthReadings {

    private final HealthStore healths;
    private final AgentStore agents;
    private final PulseStore pulses;
    private final Clock clock;

    HealthReadings(HealthStore healths, AgentStore agents, PulseStore pulses, Clock clock) {
        this.healths = healths;
        this.agents = agents;
        this.pulses = pulses;
        this.clock = clock;
    }

    /**
     * The health of an agent, perhaps about a second old: one request of one read unit, unless none was computed yet.
     *
     * @throws Problem 404 for an unknown agent, 410 for one that is deregistered
     */
    HealthReading recent(String agentId) {
        Optional<StoredHealth> stored = healths.find(agentId, false);
        Instant now = clock.instant();
        Optional<Pulse> pulse = stored.flatMap(StoredHealth::pulse);
        return unlessDeregistered(stored.flatMap(StoredHealth::health)
                .map(health -> pulse.map(known -> HealthReading.of(health, known, now))
                        .orElseGet(() -> HealthReading.ofBuried(health, now)))
                .orElseGet(() -> uncomputed(agentId, pulse.orElseGet(() -> pulse(agentId)))));
    }

    /**
     * The health of an agent as of now.
     *
     * @throws Problem 410 for one that is deregistered
     */
    HealthReading fresh(StoredAgent agent) {
        Optional<AgentHealth> health =
                healths.find(agent.pulse().agentId(), true).flatMap(StoredHealth::health);
        Instant now = clock.instant();
        return unlessDeregistered(health.map(computed -> HealthReading.of(computed, agent.pulse(), now))
                .orElseGet(() -> HealthReading.uncomputed(agent.profile(), agent.pulse(), now)));
    }

    /**
     * All about an agent but its health, as of now.
     *
     * @throws Problem 404 for an unknown agent
     */
    StoredAgent agent(String agentId) {
        return agents.find(agentId).orElseThrow(() -> Problem.unknownAgent(agentId));
    }

    /** The registry's own health. */
    HealthReading ofRegistry(boolean fresh) {
        return RegistryHealth.reading(
                healths.find(RegistryHealth.ID, fresh).flatMap(StoredHealth::health), clock.instant());
    }

    private HealthReading uncomputed(String agentId, Pulse pulse) {
        AgentProfile profile = agents.profile(agentId).orElseThrow(() -> Problem.unknownAgent(agentId));
        return HealthReading.uncomputed(profile, pulse, clock.instant());
    }

    /** Where the recent view showed none: it registered a moment ago, is buried, or never was. */
    private Pulse pulse(String agentId) {
        return pulses.find(agentId)
                .or(() -> agents.tombstone(agentId))
                .orElseThrow(() -> Problem.unknownAgent(agentId));
    }

    private static HealthReading unlessDeregistered(HealthReading reading) {
        if (reading.isOfDeregistered()) {
            throw Problem.deregistered(reading.health().agentId());
        }
        return reading;
    }
}
