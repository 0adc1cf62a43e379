package dev.agenthealth.functions.registry.leases;

import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseRule;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * Ends the leases of agents that are gone (RFC-0016 §9.1), and of stalled or looping agents that declare this. Thread-safe.
 *
 * <p>Leases of a dead or replaced incarnation expire, and leases of a deregistered agent are released, unless they timed out before. The
 * marker on the pulse stays until all leases ended, so that the next sweep continues an interrupted clean-up.
 */
public final class LeaseCleanUp {

    /** The maximum number of rounds per pass. A stalled or looping agent may acquire more leases; the next sweep continues. */
    private static final int MAX_ROUNDS = 3;

    private final LeaseStore leases;

    public LeaseCleanUp(LeaseStore leases) {
        this.leases = leases;
    }

    /** Ends as many leases as fit into one transaction. The sweep ends the rest. */
    public void begin(Pulse gone, Instant now) {
        end(some(gone), gone, now);
    }

    /**
     * Ends the leases of all incarnations up to the incarnation in the marker.
     *
     * @param timeLeft whether there is time for one more transaction
     * @param expired receives how many leases this call ended as expired
     * @return {@code false} if leases may be left for the next pass
     */
    public boolean finish(Pulse marked, Instant now, BooleanSupplier timeLeft, LongConsumer expired) {
        // In each round, this sweep or another one ends at least one lease.
        while (timeLeft.getAsBoolean()) {
            List<Lease> held = some(marked);
            if (held.isEmpty()) {
                return true;
            }
            expired.accept(end(held, marked, now));
        }
        return false;
    }

    /**
     * Ends the leases of a stalled or looping agent, so that other agents can take over its work.
     *
     * @param reason the reason for the end of the leases
     * @param timeLeft whether there is time for one more transaction
     * @param expired receives how many leases this call ended
     * @return {@code false} if leases are left, because the agent renewed or acquired leases meanwhile
     */
    public boolean finish(
            Pulse holder, LeaseReason reason, Instant now, BooleanSupplier timeLeft, LongConsumer expired) {
        List<Lease> held = leases.inForce(holder, now);
        for (int round = 0; round < MAX_ROUNDS && !held.isEmpty(); round++) {
            for (int from = 0; from < held.size(); from += LeaseStore.MAX_ENDED_AT_ONCE) {
                if (!timeLeft.getAsBoolean()) {
                    return false;
                }
                int to = Math.min(held.size(), from + LeaseStore.MAX_ENDED_AT_ONCE);
                expired.accept(end(held.subList(from, to), lease -> lease.ended(LeaseStatus.EXPIRED, reason, now)));
            }
            held = leases.inForce(holder, now);
        }
        return held.isEmpty();
    }

    private List<Lease> some(Pulse marked) {
        return leases.ofAgent(
                marked.agentId(),
                incarnation -> incarnation <= marked.cleanUp().through(),
                "",
                LeaseStore.MAX_ENDED_AT_ONCE);
    }

    private long end(List<Lease> held, Pulse marked, Instant now) {
        return end(held, lease -> ended(lease, marked, now));
    }

    /** Ends leases. Returns the number of leases that expired. */
    private long end(List<Lease> held, UnaryOperator<Lease> end) {
        List<Lease> ended = held.stream().map(end).toList();
        if (held.isEmpty() || leases.end(held, ended)) {
            return expired(ended);
        }
        // The holder or another sweep changed one of the leases meanwhile. End them one by one.
        long expired = 0;
        for (int i = 0; i < held.size(); i++) {
            List<Lease> one = ended.subList(i, i + 1);
            expired += leases.end(held.subList(i, i + 1), one) ? expired(one) : 0;
        }
        return expired;
    }

    private static long expired(List<Lease> ended) {
        return ended.stream()
                .filter(lease -> lease.status() == LeaseStatus.EXPIRED)
                .count();
    }

    /** Returns whether the clean-up of the lease's incarnation is pending. Otherwise the lease may have ended after it was read. */
    static boolean isPending(Lease lease, Pulse holder) {
        return lease.incarnation() <= holder.cleanUp().through();
    }

    /**
     * Returns the lease after the clean-up of its holder.
     *
     * @param marked the holder, gone or registered again, with a pending clean-up
     */
    static Lease ended(Lease lease, Pulse marked, Instant now) {
        if (!LeaseRule.isInForce(lease, marked.statusSince())) {
            return lease.ended(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT, now);
        }
        return switch (marked.cleanUp().causeOf(lease.incarnation())) {
            case DEATH -> lease.ended(LeaseStatus.EXPIRED, LeaseReason.AGENT_DEAD, now);
            case RESTART -> lease.ended(LeaseStatus.EXPIRED, LeaseReason.AGENT_RESTARTED, now);
            case DEREGISTRATION -> lease.ended(LeaseStatus.RELEASED, LeaseReason.AGENT_DEREGISTERED, now);
        };
    }
}
