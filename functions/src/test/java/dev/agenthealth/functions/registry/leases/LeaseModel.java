package dev.agenthealth.functions.registry.leases;

import dev.agenthealth.model.registry.lease.LeaseReason;
import dev.agenthealth.model.registry.lease.LeaseStatus;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An in-memory model of leases and their holders after the documents; it uses no code of the product. */
final class LeaseModel {

    /** An agent that reports no work and asks for its drains itself. */
    static final class Holder {
        LifecycleStatus status = LifecycleStatus.ACTIVE;
        long incarnation = 1;
        long cleanUpOf;
        Instant drainsSince;

        /** Why the leases of each incarnation that is gone end. */
        final Map<Long, LeaseReason> ends = new HashMap<>();

        boolean isAlive() {
            return status == LifecycleStatus.ACTIVE || status == LifecycleStatus.DRAINING;
        }
    }

    /** A lease, with the id and token that the product chose. */
    static final class Held {
        final String id;
        final Holder holder;
        final long incarnation;
        final String scope;
        final long token;
        Instant expiresAt;
        LeaseStatus status = LeaseStatus.ACTIVE;
        LeaseReason reason = LeaseReason.NONE;
        Instant releasedAt;

        Held(String id, Holder holder, String scope, long token, Instant expiresAt) {
            this.id = id;
            this.holder = holder;
            this.incarnation = holder.incarnation;
            this.scope = scope;
            this.token = token;
            this.expiresAt = expiresAt;
        }

        boolean ranOut(Instant now) {
            return !now.isBefore(expiresAt);
        }

        boolean isValid(Instant now) {
            return status == LeaseStatus.ACTIVE
                    && !ranOut(now)
                    && holder.isAlive()
                    && holder.incarnation == incarnation;
        }

        boolean isHeldBy(Holder other) {
            return holder == other && holder.incarnation == incarnation;
        }

        /** Two seconds are for the clocks of hosts; they matter only where a clock ends the lease. */
        boolean isFreeFor(Holder taker, Instant now) {
            if (reason == LeaseReason.TIMEOUT || status == LeaseStatus.ACTIVE && ranOut(now)) {
                return taker == holder || !now.isBefore(expiresAt.plus(Duration.ofSeconds(2)));
            }
            return !isValid(now);
        }

        /** What a grant of the scope records about this lease, if nothing is recorded yet. */
        void endBeforeGrant(Instant now) {
            if (ranOut(now)) {
                end(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT);
            } else {
                endWithHolder();
            }
        }

        void endWithHolder() {
            LeaseReason end = holder.ends.get(incarnation);
            end(end == LeaseReason.AGENT_DEREGISTERED ? LeaseStatus.RELEASED : LeaseStatus.EXPIRED, end);
        }

        void end(LeaseStatus newStatus, LeaseReason newReason) {
            if (status == LeaseStatus.ACTIVE) {
                status = newStatus;
                reason = newReason;
            }
        }
    }

    /** All leases granted so far, oldest first. */
    final List<Held> leases = new ArrayList<>();

    /** The expected status of an attempt to acquire: 201, 200 or 409. */
    int expectedStatus(Holder holder, String scope, Instant now) {
        Optional<Held> last = last(scope);
        if (last.isPresent() && last.get().isHeldBy(holder) && last.get().isValid(now)) {
            return 200;
        }
        if (holder.status != LifecycleStatus.ACTIVE) {
            return 409;
        }
        return last.isEmpty() || last.get().isFreeFor(holder, now) ? 201 : 409;
    }

    void granted(Held lease, Instant now) {
        last(lease.scope).ifPresent(previous -> previous.endBeforeGrant(now));
        leases.add(lease);
    }

    Optional<Held> last(String scope) {
        return leases.stream().filter(lease -> lease.scope.equals(scope)).reduce((a, b) -> b);
    }

    void released(Held lease, Instant now) {
        if (lease.ranOut(now)) {
            lease.end(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT);
        } else {
            if (lease.status == LeaseStatus.ACTIVE) {
                lease.releasedAt = now;
            }
            lease.end(LeaseStatus.RELEASED, LeaseReason.NONE);
        }
        // Also where the request is a retry, unless the lease was released before the drain.
        boolean duringDrain = lease.releasedAt != null
                && lease.incarnation == lease.holder.incarnation
                && lease.holder.status == LifecycleStatus.DRAINING
                && lease.releasedAt.isAfter(lease.holder.drainsSince.minusSeconds(2));
        if (duringDrain) {
            completes(lease.holder, now);
        }
    }

    void removed(Holder holder, Instant now) {
        if (holder.status != LifecycleStatus.DEREGISTERED) {
            leaves(holder, LifecycleStatus.DEREGISTERED, LeaseReason.AGENT_DEREGISTERED);
            noteTimeouts(now, holder);
            cleanUp(holder);
        }
    }

    void registered(Holder holder) {
        holder.status = LifecycleStatus.ACTIVE;
        holder.incarnation++;
    }

    void replaced(Holder holder, Instant now) {
        boolean live = holder.isAlive();
        if (live) {
            leaves(holder, LifecycleStatus.DEREGISTERED, LeaseReason.AGENT_RESTARTED);
            noteTimeouts(now, holder);
        }
        registered(holder);
        if (live) {
            cleanUp(holder);
        }
    }

    void leaves(Holder holder, LifecycleStatus status, LeaseReason reason) {
        holder.status = status;
        holder.cleanUpOf = holder.incarnation;
        holder.ends.putIfAbsent(holder.incarnation, reason);
    }

    void swept(List<Holder> holders, Instant now) {
        holders.forEach(holder -> noteTimeouts(now, holder));
        for (Holder holder : holders) {
            completes(holder, now);
            cleanUp(holder);
            holder.cleanUpOf = 0;
        }
    }

    private void completes(Holder holder, Instant now) {
        if (holder.status == LifecycleStatus.DRAINING
                && leases.stream().noneMatch(l -> l.holder == holder && l.isValid(now))) {
            leaves(holder, LifecycleStatus.DEREGISTERED, LeaseReason.AGENT_DEREGISTERED);
        }
    }

    private void noteTimeouts(Instant now, Holder holder) {
        leases.stream()
                .filter(lease -> lease.holder == holder && lease.ranOut(now))
                .forEach(lease -> lease.end(LeaseStatus.EXPIRED, LeaseReason.TIMEOUT));
    }

    private void cleanUp(Holder holder) {
        leases.stream()
                .filter(lease -> lease.holder == holder && lease.incarnation <= holder.cleanUpOf)
                .forEach(Held::endWithHolder);
    }
}
