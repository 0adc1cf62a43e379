package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.gateway.ConnectionState;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Decides whether an agent may be called (ServiceNet, Trust records). It reads the stored data anew for each decision. Thread-safe. */
final class AdmissionCheck {

    /** The statuses in which agents are called. An unhealthy agent sends no heartbeats, but may still answer calls. */
    private static final Set<LifecycleStatus> CALLABLE = Set.of(LifecycleStatus.ACTIVE, LifecycleStatus.UNHEALTHY);

    private final AgentStore agents;
    private final KeyStore keys;
    private final BlockStore blocks;
    private final AddressCheck addresses;
    private final AgentCredentials credentials;
    private final ConnectionStore connections;
    private final Clock clock;

    AdmissionCheck(
            AgentStore agents,
            KeyStore keys,
            BlockStore blocks,
            ConnectionStore connections,
            AddressCheck addresses,
            AgentCredentials credentials,
            Clock clock) {
        this.agents = agents;
        this.keys = keys;
        this.blocks = blocks;
        this.connections = connections;
        this.addresses = addresses;
        this.credentials = credentials;
        this.clock = clock;
    }

    /**
     * An agent that may be called, as far as known before its host name is resolved.
     *
     * @param credentials the headers that the agent requires
     * @param connection the facts that earlier calls have shown
     * @param block the block of the agent, which is in force if the call is a trial
     */
    record Admitted(
            StoredAgent stored,
            Endpoint endpoint,
            Map<String, String> credentials,
            ConnectionState connection,
            Block block) {

        /** Returns the version that the agent declares; empty without one. */
        String version() {
            return stored.profile().description().version();
        }

        /** Returns whether a rule contains the agent, and this call may only be one of its trial calls. */
        boolean isTrial() {
            return block.inForce();
        }

        /** Returns the headers of a call that belongs to a trace. */
        Map<String, String> headers(TraceContext trace) {
            Map<String, String> headers = new HashMap<>(trace.headers());
            headers.putAll(credentials);
            return headers;
        }

        AgentProfile agent() {
            return stored.profile();
        }

        String id() {
            return agent().agentId();
        }
    }

    /**
     * Returns the agent if it may be called.
     *
     * @throws CallFailedException with the first reason against a call, in the order of the specification
     */
    Admitted admit(String agentId) {
        return admitted(unblocked(agentId), Block.NONE);
    }

    /**
     * Returns the agent if it may be called, also with a trial call of a contained agent. {@link Trials#begin} then takes the trial.
     *
     * @throws CallFailedException as {@link #admit}
     */
    Admitted admitWithTrial(String agentId) {
        Checked checked = checked(agentId);
        if (checked.block().inForce()) {
            checkTrial(checked.block(), clock.instant());
        }
        return admitted(checked.agent(), checked.block());
    }

    /**
     * Checks that the gateway lets a trial call of a blocked agent through.
     *
     * @throws CallFailedException if it does not
     */
    static void checkTrial(Block block, Instant now) {
        if (!block.containment().mayTry(now)) {
            throw CallFailedException.blocked(block, now);
        }
    }

    private Admitted admitted(StoredAgent found, Block block) {
        if (!isCallable(found.pulse())) {
            throw new CallFailedException(InvocationFailure.AGENT_NOT_ACTIVE);
        }
        return reachable(found, block);
    }

    /**
     * Returns an agent with its endpoint for a call of the gateway itself, whether or not the agent takes calls. Empty if it is unknown.
     *
     * @throws CallFailedException if the agent has no endpoint that may be called
     */
    Optional<Admitted> reachable(String agentId) {
        return agents.find(agentId).map(found -> reachable(found, Block.NONE));
    }

    private Admitted reachable(StoredAgent found, Block block) {
        AgentProfile agent = found.profile();
        if (agent.agentInterface().kind() == AgentKind.MCP_SERVER) {
            throw new CallFailedException(InvocationFailure.NOT_AN_AGENT);
        }
        if (agent.agentInterface().endpoint().isEmpty()) {
            throw new CallFailedException(InvocationFailure.NO_ENDPOINT);
        }
        Optional<Endpoint> endpoint =
                Endpoint.of(agent.agentInterface().endpoint()).filter(addresses::mayBeCalled);
        if (endpoint.isEmpty()) {
            throw new CallFailedException(InvocationFailure.ENDPOINT_NOT_ALLOWED);
        }
        return new Admitted(found, endpoint.get(), credentials.headers(agent), connections.find(agent), block);
    }

    /**
     * Returns the agent unless it is unknown, stopped or blocked, whether or not it takes calls.
     *
     * @throws CallFailedException if it is unknown, stopped or blocked
     */
    StoredAgent unblocked(String agentId) {
        Checked checked = checked(agentId);
        if (checked.block().inForce()) {
            throw CallFailedException.blocked(checked.block(), clock.instant());
        }
        return checked.agent();
    }

    /** An agent that is not stopped and whose provider is not blocked, with its own block. */
    private record Checked(StoredAgent agent, Block block) {}

    private Checked checked(String agentId) {
        StoredAgent found =
                agents.find(agentId).orElseThrow(() -> new CallFailedException(InvocationFailure.AGENT_NOT_FOUND));
        BlockStore.Blocks decided = blocks.of(agentId, providers(found));
        decided.stops().of(found.pulse()).ifPresent(stop -> {
            throw CallFailedException.stopped(stop.reason());
        });
        if (decided.ofProviders().stream().anyMatch(Block::inForce)) {
            throw new CallFailedException(InvocationFailure.PROVIDER_BLOCKED);
        }
        return new Checked(found, decided.ofAgent());
    }

    /**
     * Returns whether the status permits a call. A dead agent is called if calls are its sign of life, as only a call can show that it is alive
     * again.
     */
    private static boolean isCallable(Pulse pulse) {
        return CALLABLE.contains(pulse.status())
                || pulse.status() == LifecycleStatus.DEAD
                        && pulse.config().lifeSigns().others().contains(SignOfLife.CALLS);
    }

    /** Returns the agent's provider and all providers of its owner's key. So a change to another of these providers cannot evade a block. */
    private Set<String> providers(StoredAgent agent) {
        Set<String> providers =
                new HashSet<>(keys.providers(agent.pulse().owner().keyId()).ids());
        if (!agent.profile().description().providerId().isEmpty()) {
            providers.add(agent.profile().description().providerId());
        }
        return providers;
    }

    /**
     * Takes a step before the call of an agent.
     *
     * @throws ApiError if the agent may not be called
     */
    static void orProblem(String agentId, Runnable step) {
        orProblem(agentId, () -> {
            step.run();
            return true;
        });
    }

    /**
     * Takes a step before the call of an agent, and returns its result.
     *
     * @throws ApiError if the agent may not be called
     */
    static <T> T orProblem(String agentId, Supplier<T> step) {
        try {
            return step.get();
        } catch (CallFailedException e) {
            throw RefusedCalls.of(e, agentId);
        }
    }
}
