package dev.agenthealth.functions.health;

import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.health.SeededHealth;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthRule;
import dev.agenthealth.model.health.HealthSubject;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Computes and stores healths at the test's time. */
public final class Healths {

    private final TestSystem system;
    private final SeededHealth seeded;

    public Healths(TestSystem system) {
        this.system = system;
        this.seeded = new SeededHealth(system);
    }

    static OutcomeCounts counts(Map<OutcomeCounter, Long> counters) {
        return OutcomeCounts.of(counters, LatencyHistogram.EMPTY);
    }

    static OutcomeCounts counts(long successes, long failures) {
        return counts(Map.of(OutcomeCounter.SELF_SUCCESSES, successes, OutcomeCounter.SELF_FAILURES, failures));
    }

    /** Computes the health of an agent that reported these executions, and stores it. */
    public AgentHealth compute(TestAgent agent, long successes, long failures) {
        return compute(agent, measurement(agent, counts(successes, failures), 0, 0));
    }

    /** Computes the health of an agent from this measurement, and stores it. */
    AgentHealth compute(TestAgent agent, Measurement measurement) {
        StoredAgent stored = agent.stored();
        Optional<AgentHealth> before =
                new HealthStore(system.database()).find(agent.id(), true).flatMap(found -> found.health());
        AgentHealth health = HealthRule.computed(
                agent.id(),
                HealthRule.subject(stored.profile()),
                measurement,
                new HealthRule.Lifecycle(stored.pulse().status(), stored.pulse().statusSince()),
                before,
                system.clock().instant());
        seeded.put(health);
        return health;
    }

    /** The measurement of these outcomes of the agent, without any in the window before. */
    Measurement measurement(TestAgent agent, OutcomeCounts counts, double p50Ms, double p99Ms) {
        return new Measurement(agent.stored().profile().basis().expectations(), counts, p50Ms, p99Ms, 0, 0, 1);
    }

    /** Computes the registry's own health, and stores it. */
    AgentHealth computeRegistry(long successes, long failures, Instant startedAt) {
        AgentHealth health = HealthRule.computed(
                RegistryHealth.ID,
                new HealthSubject("", false, false, startedAt, Restarts.NONE, Instant.MIN, startedAt),
                new Measurement(Expectations.NONE, counts(successes, failures), 40, 70, 0, 0, 24),
                new HealthRule.Lifecycle(LifecycleStatus.ACTIVE, Instant.MIN),
                Optional.empty(),
                system.clock().instant());
        seeded.put(health);
        return health;
    }

    /** Stores the agent's current health in its history. */
    void keep(AgentHealth health) {
        seeded.putHistory(health);
    }
}
