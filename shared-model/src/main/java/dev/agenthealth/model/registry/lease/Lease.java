package dev.agenthealth.model.registry.lease;

import dev.agenthealth.model.identity.Owner;
import java.time.Duration;
import java.time.Instant;

/**
 * The right of one agent to work on one scope of an intent for a limited time. An intent is a piece of work, such as an invoice. A scope is a part
 * of it that only one agent may work on at a time. An agent acquires a lease before it starts, renews it while it works, and releases it at the
 * end.
 *
 * <p>A lease ends early if its holder is dead, is deregistered or registers again, or if a coordinator revokes it. Then another agent can take over
 * the scope. An expiry is a matter of clocks, so other agents wait for {@link LeaseRule#TAKEOVER_DELAY} after it. {@link LeaseRule} decides whether
 * a lease is in force; the stored status may lag behind.
 *
 * <p>A former holder may not know that it lost its lease. Therefore each lease has a fencing token that is higher than all earlier tokens of the
 * scope. A protected resource remembers the highest token that it has seen, and refuses writes with a lower one. For example, agent A pauses with
 * token 7 and its lease expires. Agent B acquires the scope with token 8 and writes. A late write by agent A is then refused.
 *
 * @param id the id of the lease
 * @param intentId the intent
 * @param scope the part of the intent; at most one lease of a scope is in force
 * @param holder the agent that holds the lease
 * @param fencingToken a number that rises with every lease of the scope
 * @param term the time of the lease
 * @param state the stored state
 */
public record Lease(
        String id, String intentId, String scope, Holder holder, long fencingToken, Term term, State state) {

    /** The minimum length of a lease, in seconds. */
    public static final int MIN_SECONDS = 1;

    /** The maximum length of a lease, in seconds: one day. */
    public static final int MAX_SECONDS = 86_400;

    /** The maximum length of a lease. A later expiry was written by a clock that ran ahead. */
    public static final Duration MAX_LENGTH = Duration.ofSeconds(MAX_SECONDS);

    /** The default length of a lease, in seconds. */
    public static final int DEFAULT_SECONDS = 300;

    /**
     * The holder of a lease, as it was when the lease was granted.
     *
     * @param roleId the holder's role; empty without a role
     * @param incarnation the holder's incarnation; a later incarnation does not hold the lease
     * @param owner the key that owned the holder
     */
    public record Holder(String agentId, String roleId, long incarnation, Owner owner) {}

    /**
     * The time of a lease.
     *
     * @param acquiredAt the moment at which the lease was granted
     * @param expiresAt the moment at which the lease ends unless it is renewed
     */
    public record Term(Instant acquiredAt, Instant expiresAt) {}

    /**
     * The stored state of a lease.
     *
     * @param status the stored status; see {@link LeaseRule#statusAt} for the current one
     * @param reason the reason for the end
     * @param endedAt the moment at which the lease was released, expired or revoked; {@link Instant#MAX} while it is in force
     */
    public record State(LeaseStatus status, LeaseReason reason, Instant endedAt) {

        /** The state of a lease that has not ended. */
        public static final State ACTIVE = new State(LeaseStatus.ACTIVE, LeaseReason.NONE, Instant.MAX);
    }

    /** Returns the lease with a later expiry. */
    public Lease renewedUntil(Instant newExpiry) {
        return new Lease(id, intentId, scope, holder, fencingToken, new Term(term.acquiredAt(), newExpiry), state);
    }

    /** Returns the lease after its end. */
    public Lease ended(LeaseStatus newStatus, LeaseReason newReason, Instant now) {
        return new Lease(id, intentId, scope, holder, fencingToken, term, new State(newStatus, newReason, now));
    }

    public String agentId() {
        return holder.agentId();
    }

    public String roleId() {
        return holder.roleId();
    }

    public long incarnation() {
        return holder.incarnation();
    }

    public Owner owner() {
        return holder.owner();
    }

    public LeaseStatus status() {
        return state.status();
    }

    public LeaseReason reason() {
        return state.reason();
    }

    public Instant endedAt() {
        return state.endedAt();
    }

    public Instant acquiredAt() {
        return term.acquiredAt();
    }

    public Instant expiresAt() {
        return term.expiresAt();
    }
}
