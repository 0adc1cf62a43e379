package dev.agenthealth.functions.registry.lifesigns;

import dev.agenthealth.functions.storage.agents.AgentStore;
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
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.lifecycle.SignOfLifeRule;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * Sends heartbeats for agents: a ping, the answer to a probe, a call, an outcome or a span counts as a heartbeat (RFC-0016 §4.5). What the agent
 * reported itself, such as load and activity, stays. Thread-safe.
 */
public final class SignsOfLife {

    private final PulseStore pulses;
    private final AgentStore agents;
    private final GroupStore groups;
    private final Clock clock;

    private SignsOfLife(Database database, Clock clock) {
        this.pulses = new PulseStore(database);
        this.agents = new AgentStore(database);
        this.groups = new GroupStore(database);
        this.clock = clock;
    }

    /** Sends heartbeats to this database; cheap to make. */
    public static SignsOfLife in(Database database, Clock clock) {
        return new SignsOfLife(database, clock);
    }

    /**
     * Sends a heartbeat for an agent. One read, and one write where the last heartbeat is not recent; a change of status is a transaction with its
     * event.
     *
     * @param by what showed that the agent lives; not {@link SeenBy#HEARTBEAT}
     * @param registersAgain whether a dead agent, archived or not, is registered again from its stored profile, as the same process. An agent is
     *     not if it died in a drain that an operator asked for.
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException where the retries are used up
     */
    public SignResult record(String agentId, SeenBy by, boolean registersAgain) {
        return OptimisticUpdates.untilPresentInTime(clock, () -> attempt(agentId, by, registersAgain));
    }

    /** Returns empty where the agent was changed meanwhile. */
    private Optional<SignResult> attempt(String agentId, SeenBy by, boolean registersAgain) {
        Instant now = clock.instant();
        Optional<Pulse> seen = pulses.find(agentId);
        if (seen.isEmpty() || seen.get().status() == LifecycleStatus.DEAD) {
            return agents.findToRegister(agentId)
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
        Pulse registered = dead.reRegistered(
                        profile.heartbeatConfig(), profile.maxConcurrentTasks(), coordination, dead.owner(), now)
                .started(dead.startedAt())
                .seenBy(by);
        // The names of the groups of an archived agent may have been removed.
        groups.note(profile, GroupStore.Role.NONE);
        return recorded(agents.registerAgain(
                agent,
                Optional.empty(),
                Transition.now(dead, registered, LifecycleReason.RE_REGISTERED, now),
                profile));
    }

    private static Optional<SignResult> recorded(boolean written) {
        return written ? Optional.of(SignResult.RECORDED) : Optional.empty();
    }
}
