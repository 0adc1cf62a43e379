package dev.agenthealth.functions.leases;

import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.lease.Lease;
import dev.agenthealth.model.lease.LeaseReason;
import dev.agenthealth.model.lease.LeaseRule;
import dev.agenthealth.model.lease.LeaseStatus;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.List;

/**
 * Ends the leases of an agent that is gone (RFC-0016 §9.1): expired where it died, released where it was deregistered, and
 * run out where that came first. Stopping half way
 * does no harm: the marker on the pulse stays, and the next pass of the sweep goes on. Thread-safe.
 */
public final class LeaseCleanUp {

    private final LeaseStore leases;

    public LeaseCleanUp(LeaseStore leases) {
        this.leases = leases;
    }

    /** Ends as many leases as fit into one transaction; the sweep finishes the rest. */
    public void begin(Pulse gone, Instant now) {
        endSome(gone, now);
    }

    /** Ends all leases up to the incarnation that the marker names. */
    public void finish(Pulse marked, Instant now) {
        while (endSome(marked, now)) {
            // Each round ends at least one lease or finds that somebody else did.
        }
    }

    /** Whether there may be more. */
    private boolean endSome(Pulse marked, Instant now) {
        List<Lease> held = leases.ofAgent(
                marked.agentId(), incarnation -> incarnation <= marked.cleanUpOf(), LeaseStore.MAX_ENDED_AT_ONCE);
        if (held.isEmpty()) {
            return false;
        }
        List<Lease> ended =
                held.stream().map(lease -> ended(lease, marked, now)).toList();
        if (!leases.end(held, ended)) {
            // One of them was changed meanwhile, by its holder or by another sweep: end the others one by one.
            for (int i = 0; i < held.size(); i++) {
                leases.end(held.subList(i, i + 1), ended.subList(i, i + 1));
            }
        }
        return true;
    }

    private static Lease ended(Lease lease, Pulse marked, Instant now) {
        if (!LeaseRule.isInForce(lease, marked.statusSince())) {
            return lease.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, now);
        }
        return marked.status() == LifecycleStatus.DEREGISTERED
                ? lease.ended(LeaseStatus.RELEASED, LeaseReason.AGENT_DEREGISTERED, now)
                : lease.ended(LeaseStatus.EXPIRED, LeaseReason.AGENT_DEAD, now);
    }
}
