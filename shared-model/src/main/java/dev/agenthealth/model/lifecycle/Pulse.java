package dev.agenthealth.model.lifecycle;

import dev.agenthealth.model.identity.KeyHash;
import java.time.Instant;
import java.util.Optional;

/**
 * The life signs of one agent: all that a heartbeat changes and all that the sweep looks at.
 *
 * @param agentId the agent instance (RFC-0016 §8.1)
 * @param status lifecycle status
 * @param statusSince when it took this status
 * @param incarnation counts registrations of this id, from 1
 * @param version rises with every status or profile change, from 1 at each registration (RFC-0016 §1.1)
 * @param beats counts heartbeats of this incarnation; two readings with the same number saw no heartbeat between them
 * @param sequence number of the agent's last event; never resets, so that subscribers can order and drop repeats
 * @param lastHeartbeatAt when the last heartbeat arrived, by the server's clock
 * @param config interval and thresholds
 * @param workload what the agent says about its work
 * @param credential hash of the key that registered it; {@link KeyHash#NONE} once that key was revoked
 * @param drain the drain under way, or {@link Drain#NONE}
 * @param cleanUpOf leftovers of this incarnation and of those before it are still to be cleaned up; 0 for none
 * @param driftReportedAt when a clock drift of this agent was last made an event; {@link Instant#EPOCH} for never
 * @param coordination role, drain timeout and pending drain
 */
public record Pulse(
        String agentId,
        LifecycleStatus status,
        Instant statusSince,
        long incarnation,
        long version,
        long beats,
        long sequence,
        Instant lastHeartbeatAt,
        HeartbeatConfig config,
        Workload workload,
        KeyHash credential,
        Drain drain,
        long cleanUpOf,
        Instant driftReportedAt,
        Coordination coordination) {

    /** Nothing is left to be cleaned up. */
    public static final long NOTHING_TO_CLEAN_UP = 0;

    /** The pulse of an id that registers for the first time (RFC-0016 §3.2). */
    public static Pulse first(
            String agentId,
            HeartbeatConfig config,
            int maxConcurrentTasks,
            Coordination coordination,
            KeyHash credential,
            Instant now) {
        return new Pulse(
                agentId,
                LifecycleStatus.ACTIVE,
                now,
                1,
                1,
                0,
                1,
                now,
                config,
                Workload.starting(maxConcurrentTasks),
                credential,
                Drain.NONE,
                NOTHING_TO_CLEAN_UP,
                Instant.EPOCH,
                coordination);
    }

    /**
     * The pulse after this id registers again (RFC-0016 §3.3): version 1, no load, no drain; the sequence goes on, an unfinished
     * clean-up is carried along, and a drift told lately is not told again.
     *
     * @throws IllegalArgumentException for an agent that is not gone: its id is taken
     */
    public Pulse reborn(
            HeartbeatConfig newConfig,
            int maxConcurrentTasks,
            Coordination newCoordination,
            KeyHash newCredential,
            Instant now) {
        if (!status.isGone()) {
            throw new IllegalArgumentException("an agent that is " + status.word() + " does not register again");
        }
        return new Pulse(
                agentId,
                LifecycleStatus.ACTIVE,
                now,
                incarnation + 1,
                1,
                0,
                sequence + 1,
                now,
                newConfig,
                Workload.starting(maxConcurrentTasks),
                newCredential,
                Drain.NONE,
                cleanUpOf,
                driftReportedAt,
                newCoordination);
    }

    /** When this incarnation registered; empty once its status or profile has changed, since then the moment is not here any more. */
    public Optional<Instant> incarnationBegan() {
        return version == 1 ? Optional.of(statusSince) : Optional.empty();
    }

    /**
     * The pulse in its next status, one version and one event later. Leaving for good marks the incarnation for clean-up.
     *
     * @throws IllegalArgumentException where {@link LifecycleTransitions} does not allow it, and for coming back from
     *     {@linkplain LifecycleStatus#GONE gone}, which takes {@link #reborn a new incarnation}
     */
    public Pulse in(LifecycleStatus next, Drain nextDrain, Instant now) {
        boolean comesBack = status.isGone() && !next.isGone();
        if (comesBack || !LifecycleTransitions.allows(status, next)) {
            throw new IllegalArgumentException("no agent goes from " + status.word() + " to " + next.word());
        }
        boolean obeyed = next == LifecycleStatus.DRAINING || next.isGone();
        return new Pulse(
                agentId,
                next,
                now,
                incarnation,
                version + 1,
                beats,
                sequence + 1,
                lastHeartbeatAt,
                config,
                workload,
                credential,
                nextDrain,
                next.isGone() ? incarnation : cleanUpOf,
                driftReportedAt,
                obeyed ? coordination.withPendingDrain(PendingDrain.NONE) : coordination);
    }

    /**
     * What is kept of the pulse of an agent that is erased: the numbers that go on when its id is registered again, and whose id it is.
     *
     * @throws IllegalArgumentException for an agent that is not gone
     */
    public Pulse erased(Instant now) {
        if (!status.isGone()) {
            throw new IllegalArgumentException("an agent that is " + status.word() + " is not erased");
        }
        return blank(agentId, incarnation, version + 1, sequence, credential, now);
    }

    /** The pulse of an id that was forgotten: whoever registers it begins with the first numbers. */
    public static Pulse forgotten(String agentId, Instant now) {
        return blank(agentId, 0, 0, 0, KeyHash.NONE, now);
    }

    private static Pulse blank(
            String agentId, long incarnation, long version, long sequence, KeyHash credential, Instant now) {
        return new Pulse(
                agentId,
                LifecycleStatus.DEREGISTERED,
                now,
                incarnation,
                version,
                0,
                sequence,
                Instant.EPOCH,
                HeartbeatConfig.DEFAULT,
                Workload.starting(Workload.NOT_DECLARED),
                credential,
                Drain.NONE,
                NOTHING_TO_CLEAN_UP,
                Instant.EPOCH,
                Coordination.NONE);
    }

    /** The pulse after one more heartbeat; {@code load} may be {@link Workload#NOT_REPORTED}, which changes nothing. */
    public Pulse beaten(int load, Instant now) {
        return new Pulse(
                agentId,
                status,
                statusSince,
                incarnation,
                version,
                beats + 1,
                sequence,
                now,
                config,
                load == Workload.NOT_REPORTED ? workload : workload.withLoad(load),
                credential,
                drain,
                cleanUpOf,
                driftReportedAt,
                coordination);
    }

    /** The pulse after a profile change, one version later. */
    public Pulse reconfigured(HeartbeatConfig newConfig, int maxConcurrentTasks) {
        return new Pulse(
                agentId,
                status,
                statusSince,
                incarnation,
                version + 1,
                beats,
                sequence,
                lastHeartbeatAt,
                newConfig,
                workload.withMaxConcurrentTasks(maxConcurrentTasks),
                credential,
                drain,
                cleanUpOf,
                driftReportedAt,
                coordination);
    }

    /** The pulse with a drain asked for, or no longer asked for. */
    public Pulse withPendingDrain(PendingDrain pendingDrain) {
        return new Pulse(
                agentId,
                status,
                statusSince,
                incarnation,
                version,
                beats,
                sequence,
                lastHeartbeatAt,
                config,
                workload,
                credential,
                drain,
                cleanUpOf,
                driftReportedAt,
                coordination.withPendingDrain(pendingDrain));
    }

    /** The pulse with one more event counted that comes with the next change. */
    public Pulse withOneMoreEvent() {
        return counting(sequence + 1, driftReportedAt);
    }

    /** The pulse with a drift event counted and its moment noted. */
    public Pulse withDriftReported(Instant now) {
        return counting(sequence + 1, now);
    }

    private Pulse counting(long newSequence, Instant newDriftReportedAt) {
        return new Pulse(
                agentId,
                status,
                statusSince,
                incarnation,
                version,
                beats,
                newSequence,
                lastHeartbeatAt,
                config,
                workload,
                credential,
                drain,
                cleanUpOf,
                newDriftReportedAt,
                coordination);
    }
}
