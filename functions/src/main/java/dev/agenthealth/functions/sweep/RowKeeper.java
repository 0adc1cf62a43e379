package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.leases.LeaseCleanUp;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.model.lifecycle.ArchivalRule;
import dev.agenthealth.model.lifecycle.DrainRule;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.SilenceRule;
import dev.agenthealth.model.lifecycle.Transition;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Does to one row what is due: transitions, clean-up, burial, a revoked credential. Thread-safe. */
final class RowKeeper {

    private final AgentStore agents;
    private final FleetScan fleet;
    private final LeaseStore leases;
    private final DueStore dueAgents;
    private final LeaseCleanUp leaseCleanUp;
    private final DueRows due;
    private final SweepDecision orders;
    private final AtomicLong deathsLeft;
    private final ActionTally tally;

    RowKeeper(Stores stores, LeaseCleanUp leaseCleanUp, DueRows due, SweepDecision orders, ActionTally tally) {
        this.agents = stores.agents();
        this.fleet = stores.fleet();
        this.leases = stores.leases();
        this.dueAgents = stores.due();
        this.leaseCleanUp = leaseCleanUp;
        this.due = due;
        this.orders = orders;
        this.deathsLeft = new AtomicLong(orders.deaths());
        this.tally = tally;
    }

    /** Has the health of an agent computed again. */
    void mark(Pulse pulse) {
        dueAgents.markDue(pulse.agentId());
        tally.marked();
    }

    /** Does everything that is due to the agent with this pulse, as it was read. */
    void keep(Pulse seen) {
        if (due.hasRevokedCredential(seen) && fleet.clearCredential(seen)) {
            tally.credentialCleared();
        }
        Pulse pulse = orders.mayChangeStatus() ? moved(seen) : seen;
        if (pulse.cleanUpOf() != Pulse.NOTHING_TO_CLEAN_UP) {
            cleanUp(pulse);
        } else if (ArchivalRule.isDue(pulse, due.now()) && !due.hasRevokedCredential(pulse)) {
            // With a revoked credential in this reading it would go to the tombstone and stay: the next pass reads the
            // row without it.
            bury(pulse);
        }
    }

    /** The pulse after all changes of status that are due, one after the other. */
    private Pulse moved(Pulse seen) {
        Pulse pulse = seen;
        Optional<Transition> next = next(pulse);
        while (next.isPresent() && write(next.get())) {
            pulse = next.get().after();
            next = next(pulse);
        }
        if (pulse != seen) {
            // Should this fail, the next pass marks the agent: its status is newer than the start of this one.
            mark(pulse);
        }
        return pulse;
    }

    private Optional<Transition> next(Pulse pulse) {
        return pulse.status() == LifecycleStatus.DRAINING
                ? DrainRule.end(pulse, leases.holdsAny(pulse, due.now()), due.amnestyFrom(), due.now())
                : SilenceRule.due(pulse, due.amnestyFrom(), due.now());
    }

    private boolean write(Transition transition) {
        boolean death = transition.after().status() == LifecycleStatus.DEAD;
        if (death && !takeDeath()) {
            tally.postponed();
            return false;
        }
        boolean written = agents.change(transition, profile(transition.after()));
        if (written) {
            tally.changed(transition);
        } else {
            tally.overtaken();
            if (death) {
                deathsLeft.incrementAndGet();
            }
        }
        return written;
    }

    private boolean takeDeath() {
        if (orders.deaths() == SweepDecision.UNLIMITED) {
            return true;
        }
        return deathsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    private void cleanUp(Pulse pulse) {
        leaseCleanUp.finish(pulse, due.now());
        agents.removeTasks(pulse.agentId(), pulse.cleanUpOf());
        if (fleet.clearCleanUp(pulse)) {
            tally.cleanedUp();
        }
    }

    private void bury(Pulse pulse) {
        if (agents.archive(pulse, profile(pulse))) {
            tally.buried();
        } else {
            tally.overtaken();
        }
    }

    private AgentProfile profile(Pulse pulse) {
        return agents.profile(pulse.agentId())
                .orElseThrow(
                        () -> new IllegalStateException("agent " + pulse.agentId() + " has a pulse but no profile"));
    }
}
