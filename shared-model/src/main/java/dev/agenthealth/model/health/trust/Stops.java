package dev.agenthealth.model.health.trust;

import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The stops in force. They decide from an agent's row alone whether the agent is stopped, and which command its row needs.
 *
 * @param byAgent the stops of single agents, by the agent's id
 * @param byRole the stops of roles, by the number of the role
 * @param byKey the stops of owners, by the id of the key
 * @param ofAll the stop of all agents
 */
public record Stops(Map<String, Stop> byAgent, Map<Long, Stop> byRole, Map<String, Stop> byKey, Optional<Stop> ofAll) {

    /** No stop. */
    public static final Stops NONE = new Stops(Map.of(), Map.of(), Map.of(), Optional.empty());

    public Stops {
        byAgent = Map.copyOf(byAgent);
        byRole = Map.copyOf(byRole);
        byKey = Map.copyOf(byKey);
    }

    /** Returns these stops, for lookups. */
    public static Stops of(Collection<Stop> stops) {
        Map<String, Stop> agents = new HashMap<>();
        Map<Long, Stop> roles = new HashMap<>();
        Map<String, Stop> keys = new HashMap<>();
        Optional<Stop> all = Optional.empty();
        for (Stop stop : stops) {
            switch (stop.scope().kind()) {
                case AGENT -> agents.put(stop.scope().id(), stop);
                case ROLE -> roles.put(stop.scope().roleNumber(), stop);
                case KEY -> keys.put(stop.scope().id(), stop);
                case ALL -> all = Optional.of(stop);
            }
        }
        return new Stops(agents, roles, keys, all);
    }

    /** Returns the narrowest stop that covers an agent; empty if the agent is not stopped. */
    public Optional<Stop> of(Pulse pulse) {
        return of(
                pulse.agentId(),
                pulse.coordination().roleNumber(),
                pulse.owner().keyId());
    }

    /**
     * Returns the narrowest stop that covers an agent; empty if the agent is not stopped.
     *
     * @param ownerKeyId the id of the key that owns the agent
     */
    public Optional<Stop> of(String agentId, long roleNumber, String ownerKeyId) {
        Stop ofAgent = byAgent.get(agentId);
        Stop ofRole = byRole.get(roleNumber);
        Stop found = ofAgent != null ? ofAgent : ofRole != null ? ofRole : byKey.get(ownerKeyId);
        return found == null ? ofAll : Optional.of(found);
    }

    /** Returns the stop of a role; empty if it is not in force. */
    public Optional<Stop> ofRole(long roleNumber) {
        return Optional.ofNullable(byRole.get(roleNumber));
    }

    /**
     * Returns the command that an agent's row needs. A stopped agent is asked to drain, unless another command is pending, or the agent drains or is
     * gone. An agent that is no longer stopped loses only the command of the stop. Empty if the row is right.
     */
    public Optional<PendingDrain> due(Pulse pulse) {
        PendingDrain pending = pulse.coordination().pendingDrain();
        Optional<Stop> stop = of(pulse);
        if (stop.isEmpty()) {
            return pending.isOfStop() ? Optional.of(PendingDrain.NONE) : Optional.empty();
        }
        if (pending.isOfStop()) {
            // The stop was given another reason, or another stop covers the agent now.
            return stop.map(found -> PendingDrain.ofStop(found.reason(), pending.timeout()))
                    .filter(command -> !command.equals(pending));
        }
        return stop.filter(found -> pulse.mayBeAskedToDrain())
                .map(found ->
                        PendingDrain.ofStop(found.reason(), pulse.coordination().drainTimeout()));
    }
}
