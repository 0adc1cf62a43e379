package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.identity.Owner;
import java.time.Instant;

/**
 * The pulse of an id from one registration to the next: the first registration, a registration after an end, and what stays when the agent is
 * erased.
 */
public final class RegistrationRule {

    private RegistrationRule() {}

    /** Returns the pulse of an id that registers for the first time (RFC-0016 §3.2). The id may be blocked already. */
    public static Pulse first(
            String agentId,
            HeartbeatConfig config,
            int maxConcurrentTasks,
            Coordination coordination,
            Owner owner,
            Instant now) {
        Pulse unregistered = forgotten(agentId, now);
        Pulse coordinated = unregistered.with(unregistered.terms().with(coordination));
        return again(coordinated, config, maxConcurrentTasks, coordination, owner, now);
    }

    /**
     * Returns the pulse after the id registers again (RFC-0016 §3.3): version 1, no load and no drain. The sequence continues. A block, a pending
     * clean-up and the time of the last drift event stay.
     *
     * @throws IllegalArgumentException for an agent that is not gone, as its id is taken
     */
    public static Pulse again(
            Pulse gone,
            HeartbeatConfig config,
            int maxConcurrentTasks,
            Coordination coordination,
            Owner owner,
            Instant now) {
        requireEnded(gone, "does not register again");
        return new Pulse(
                gone.agentId(),
                gone.numbers().nextIncarnation(),
                new LifecycleState(
                        LifecycleStatus.ACTIVE,
                        Transition.notBefore(gone, now),
                        Drain.NONE,
                        gone.cleanUp(),
                        false,
                        gone.lastEnd()),
                new HeartbeatsSeen(gone.heardAt(now), 0, SeenBy.HEARTBEAT),
                new RegistrationTerms(
                        owner,
                        config,
                        coordination.blockedAlsoUntil(gone.coordination().blockedUntil())),
                new ProcessReport(Workload.starting(maxConcurrentTasks), Activity.NONE, ProcessStart.UNKNOWN),
                gone.published().withFailedRun(FailedRun.NONE));
    }

    /**
     * Returns the pulse of a live agent that is about to {@linkplain #again register again}: deregistered, with its incarnation marked as restarted.
     *
     * @throws IllegalArgumentException for an agent that is gone
     */
    public static Pulse replaced(Pulse live, Instant now) {
        if (live.status().hasEnded()) {
            throw new IllegalArgumentException(
                    "an agent that is " + live.status().wireName() + " is not replaced");
        }
        Pulse gone = live.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, now);
        CleanUp restarted = live.cleanUp().and(live.incarnation(), CleanUp.Cause.RESTART);
        return gone.with(new LifecycleState(
                gone.status(), gone.statusSince(), gone.drain(), restarted, gone.dismissed(), gone.lastEnd()));
    }

    /**
     * Returns the remains of the pulse of an erased agent: its owner, and the numbers that continue with the next registration of the id.
     *
     * @throws IllegalArgumentException for an agent that is not gone
     */
    public static Pulse erased(Pulse gone, Instant now) {
        requireEnded(gone, "is not erased");
        Pulse forgotten = forgotten(gone.agentId(), now);
        return new Pulse(
                gone.agentId(),
                gone.numbers().nextVersion(),
                new LifecycleState(
                        forgotten.status(),
                        forgotten.statusSince(),
                        forgotten.drain(),
                        forgotten.cleanUp(),
                        forgotten.dismissed(),
                        gone.lastEnd()),
                forgotten.heard(),
                new RegistrationTerms(gone.owner(), forgotten.config(), forgotten.coordination()),
                forgotten.reported(),
                forgotten.published());
    }

    /** Returns the pulse of an id without a history. Its next registration begins with the first numbers. */
    public static Pulse forgotten(String agentId, Instant now) {
        return new Pulse(
                agentId,
                new PulseNumbers(0, 0, 0),
                new LifecycleState(LifecycleStatus.DEREGISTERED, now, Drain.NONE, CleanUp.NONE, false, LastEnd.NONE),
                new HeartbeatsSeen(Instant.EPOCH, 0, SeenBy.HEARTBEAT),
                new RegistrationTerms(Owner.NONE, HeartbeatConfig.DEFAULT, Coordination.NONE),
                new ProcessReport(Workload.starting(Workload.NOT_DECLARED), Activity.NONE, ProcessStart.UNKNOWN),
                PublishedFindings.NONE);
    }

    private static void requireEnded(Pulse pulse, String otherwise) {
        if (!pulse.status().hasEnded()) {
            throw new IllegalArgumentException(
                    "an agent that is " + pulse.status().wireName() + " " + otherwise);
        }
    }
}
