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

/** Stores what probes found, with the event of a certificate that ends soon. Thread-safe. */
final class ProbeResults {

    private final ProbeStore states;
    private final PulseStore pulses;

    ProbeResults(Database database) {
        this.states = new ProbeStore(database);
        this.pulses = new PulseStore(database);
    }

    /**
     * Stores a result where it is worth a write; the last probe that ended counts.
     *
     * @param before the state as it was read, which may be old
     * @throws dev.agenthealth.functions.runtime.wiring.StorageBusyException where the attempts are used up
     */
    void note(AgentProfile agent, ProbeState before, ProbeResult found) {
        OptimisticUpdates.untilPresent(
                before, () -> states.current(agent.agentId()), seen -> done(attempt(agent, seen, found)));
    }

    /** Returns whether nothing is left to do. */
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

    /** Returns whether a later probe has ended, as far as the clocks of two runs agree. */
    private static boolean isOvertaken(ProbeState seen, ProbeResult found) {
        return found.at().isBefore(seen.at()) && !ClockRule.isTooFarAhead(seen.at(), ClockRule.MAX_PASS, found.at());
    }

    private static Optional<Boolean> done(boolean done) {
        return done ? Optional.of(true) : Optional.empty();
    }
}
