package dev.agenthealth.functions.sweep.probes;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.util.Optional;

/** Stores the results of probes, and publishes an event for a certificate that ends soon. Thread-safe. */
final class ProbeResults {

    private final ProbeStore states;
    private final PulseStore pulses;

    ProbeResults(Database database) {
        this.states = new ProbeStore(database);
        this.pulses = new PulseStore(database);
    }

    /**
     * Stores a result if it differs enough from the stored result. The probe that ended last counts.
     *
     * @param before the state as read, which may be old
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException if all attempts failed
     */
    void note(AgentProfile agent, ProbeState before, ProbeResult found) {
        OptimisticUpdates.untilPresent(
                before, () -> states.current(agent.agentId()), seen -> done(attempt(agent, seen, found)));
    }

    /** Returns whether no work is left. */
    private boolean attempt(AgentProfile agent, ProbeState seen, ProbeResult found) {
        ProbeState after = seen.then(found);
        if (isOvertaken(seen, found) || !seen.isOutdatedBy(after)) {
            return true;
        }
        if (!after.isWarningAfter(seen)) {
            return states.replace(agent.agentId(), seen, after);
        }
        Optional<Pulse> pulse =
                pulses.find(agent.agentId()).filter(present -> present.status() != LifecycleStatus.DEREGISTERED);
        if (pulse.isEmpty()) {
            return true;
        }
        Pulse counted = pulse.get().withOneMoreEvent();
        return states.replace(counted, seen, after, AgentEvents.certificateExpiring(counted, agent.roleId(), after));
    }

    /** Returns whether a later probe has ended. The clocks of two runs may differ slightly. */
    private static boolean isOvertaken(ProbeState seen, ProbeResult found) {
        return found.at().isBefore(seen.at()) && !ClockRule.isTooFarAhead(seen.at(), ClockRule.MAX_PASS, found.at());
    }

    private static Optional<Boolean> done(boolean done) {
        return done ? Optional.of(true) : Optional.empty();
    }
}
