package dev.agenthealth.functions.registry.lifesigns;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.RegistrationStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleReason;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.SignOfLifeRule;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * Sends heartbeats for agents: a ping, the answer to a probe, a call, an outcome or a span counts as a heartbeat (RFC-0016 §4.5). Load,
 * activity and other values that the agent reported stay. Thread-safe.
 */
public final class SignsOfLife {

    private final PulseStore pulses;
    private final AgentStore agents;
    private final RegistrationStore registrations;
    private final GroupStore groups;
    private final Clock clock;

    private SignsOfLife(Database database, Clock clock) {
        this.pulses = new PulseStore(database);
        this.agents = new AgentStore(database);
        this.registrations = new RegistrationStore(database);
        this.groups = new GroupStore(database);
        this.clock = clock;
    }

    /** Creates the service for this database. Creating it is cheap. */
    public static SignsOfLife in(Database database, Clock clock) {
        return new SignsOfLife(database, clock);
    }

    /**
     * Sends a heartbeat for an agent. Costs one read, and one write if the last heartbeat is not recent. A change of status is one
     * transaction with its event.
     *
     * @param by the sign of life; not {@link SeenBy#HEARTBEAT}
     * @param registersAgain whether to register a dead agent again as the same process, from its stored profile. An agent that died in a
     *     drain of an operator is never registered again.
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if all retries failed
     */
    public SignResult record(String agentId, SeenBy by, boolean registersAgain) {
        return OptimisticUpdates.untilPresentInTime(clock, () -> attempt(agentId, by, registersAgain));
    }

    /** Returns the result; empty if the agent changed meanwhile. */
    private Optional<SignResult> attempt(String agentId, SeenBy by, boolean registersAgain) {
        Instant now = clock.instant();
        Optional<Pulse> seen = pulses.find(agentId);
        if (seen.isEmpty() || seen.get().status() == LifecycleStatus.DEAD) {
            return registrations
                    .findToRegister(agentId)
                    .filter(StoredAgent::hasProfile)
                    .map(agent -> registered(agent, by, registersAgain, now))
                    .orElse(Optional.of(SignResult.UNKNOWN));
        }
        Pulse pulse = seen.get();
        if (pulse.status().hasEnded()) {
            return Optional.of(SignResult.GONE);
        }
        if (SignOfLifeRule.isTooEarly(pulse, now)) {
            return Optional.of(SignResult.TOO_EARLY);
        }
        boolean written = HeartbeatRule.change(pulse, Heartbeat.ofRegistry(by), now)
                .map(change -> agents.profile(agentId)
                        .filter(profile -> agents.change(change, profile))
                        .isPresent())
                .orElseGet(() -> pulses.recordHeartbeatOfRegistry(pulse, by, now));
        return recorded(written);
    }

    private Optional<SignResult> registered(StoredAgent agent, SeenBy by, boolean registersAgain, Instant now) {
        Pulse dead = agent.pulse();
        if (!dead.status().hasEnded()) {
            return Optional.empty();
        }
        if (dead.status() != LifecycleStatus.DEAD
                || !registersAgain
                || dead.end().isByOperator()) {
            return Optional.of(SignResult.GONE);
        }
        AgentProfile profile = agent.profile();
        Coordination coordination = dead.coordination().withPendingDrain(PendingDrain.NONE);
        Pulse registered = RegistrationRule.again(
                        dead, profile.heartbeatConfig(), profile.maxConcurrentTasks(), coordination, dead.owner(), now)
                .started(dead.startedAt())
                .seenBy(by);
        // The sweep may have removed the group names of an archived agent.
        groups.note(profile, GroupStore.Role.NONE);
        return recorded(registrations.registerAgain(
                agent,
                Optional.empty(),
                Transition.now(dead, registered, LifecycleReason.RE_REGISTERED, now),
                profile));
    }

    private static Optional<SignResult> recorded(boolean written) {
        return written ? Optional.of(SignResult.RECORDED) : Optional.empty();
    }
}
