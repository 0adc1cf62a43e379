package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lease.LeaseRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * One agent's life as the rules have it: what the functions do with an agent, without storage. Every pulse it ever had is
 * kept in order, so that tests can look at each step.
 */
final class Life {

    /** What made the pulse what it is. */
    enum Cause {
        REGISTRATION,
        HEARTBEAT,
        TRANSITION,
        PROFILE_CHANGE,
        DEADLINE
    }

    /** One step; {@code transition} is there for {@link Cause#TRANSITION} only. */
    record Step(Cause cause, Pulse before, Pulse after, Optional<Transition> transition, Instant at) {}

    private final List<Step> steps = new ArrayList<>();
    private Instant now = Pulses.T0;
    private Instant graceFrom = Pulses.NO_GRACE;
    private Pulse pulse;
    private int leases;

    Life(HeartbeatConfig config) {
        pulse = RegistrationRule.first("agent_billing_01", config, 5, Coordination.NONE, Pulses.OWNER, now);
    }

    List<Step> steps() {
        return steps;
    }

    Pulse pulse() {
        return pulse;
    }

    Instant now() {
        return now;
    }

    Instant graceFrom() {
        return graceFrom;
    }

    /** Time passes; a negative time is another host's clock, which is behind. */
    void passes(Duration time) {
        now = now.plus(time);
    }

    /** A grace period starts now, as after an outage. */
    void isForgiven() {
        graceFrom = graceFrom.isAfter(now) ? graceFrom : now;
    }

    /** A heartbeat arrives; false where it is refused because the agent is dead or deregistered. */
    boolean receivesHeartbeat(boolean saysDraining, int load, int tasks, Duration clockError) {
        if (pulse.status().hasEnded()) {
            return false;
        }
        boolean reportsTasks = tasks >= 0;
        Heartbeat heartbeat = new Heartbeat(
                saysDraining,
                load,
                reportsTasks,
                Collections.nCopies(Math.max(tasks, 0), "task"),
                now.plus(clockError),
                ProcessStart.UNKNOWN,
                Pulse.ANY_INCARNATION);
        Optional<Transition> change = HeartbeatRule.change(pulse, heartbeat, now);
        if (change.isPresent()) {
            happens(change.get());
        } else {
            becomes(Cause.HEARTBEAT, pulse.withHeartbeat(heartbeat, now), Optional.empty());
            if (leases == 0 && DrainRule.mayCompleteWithHeartbeat(pulse)) {
                happens(DrainRule.completion(pulse, now));
            }
        }
        return true;
    }

    /** A sweep takes every step that is due. */
    void isSwept() {
        Optional<Transition> due = due();
        while (due.isPresent()) {
            happens(due.get());
            due = due();
        }
    }

    /** A drain is requested, or its deadline moved; false where the status does not allow one. */
    boolean isDrained(Duration timeout, boolean byAgent) {
        if (pulse.status() == LifecycleStatus.DRAINING) {
            becomes(Cause.DEADLINE, pulse.withDrainRestarted(timeout, byAgent, now), Optional.empty());
            return true;
        }
        if (!LifecycleTransitions.allows(pulse.status(), LifecycleStatus.DRAINING)) {
            return false;
        }
        happens(DrainRule.start(pulse, timeout, "key_1", byAgent, now));
        return true;
    }

    /** The agent is deregistered; false where it already is. */
    boolean isRemoved() {
        if (!LifecycleTransitions.allows(pulse.status(), LifecycleStatus.DEREGISTERED)) {
            return false;
        }
        Pulse after = pulse.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, now);
        happens(Transition.now(pulse, after, LifecycleReason.DEREGISTERED, now));
        return true;
    }

    /** The agent registers with its id; false where the id is taken by its living self. */
    boolean registers(HeartbeatConfig config, Owner owner) {
        if (!pulse.status().hasEnded()) {
            return false;
        }
        becomes(
                Cause.REGISTRATION,
                RegistrationRule.again(pulse, config, 5, Coordination.NONE, owner, now),
                Optional.empty());
        return true;
    }

    /** The profile changes; false where there is no live agent. */
    boolean isReconfigured(HeartbeatConfig config, int maxConcurrentTasks) {
        if (pulse.status().hasEnded()) {
            return false;
        }
        becomes(Cause.PROFILE_CHANGE, pulse.reconfigured(config, maxConcurrentTasks), Optional.empty());
        return true;
    }

    /** The agent is granted a lease; false where its status does not allow it. */
    boolean leases() {
        if (!LeaseRule.mayAcquire(pulse.status())) {
            return false;
        }
        leases++;
        return true;
    }

    /** The agent gives a lease back, which may complete its drain; false where it has none. */
    boolean releases() {
        if (leases == 0) {
            return false;
        }
        leases--;
        if (leases == 0 && pulse.status() == LifecycleStatus.DRAINING) {
            happens(DrainRule.completion(pulse, now));
        }
        return true;
    }

    /** A lease of the agent times out; false where it has none. */
    boolean losesLease() {
        if (leases == 0) {
            return false;
        }
        leases--;
        return true;
    }

    int leasesHeld() {
        return leases;
    }

    private Optional<Transition> due() {
        Optional<Transition> silence = HeartbeatTimeoutRule.due(pulse, graceFrom, now);
        return silence.isPresent() ? silence : DrainRule.end(pulse, leases > 0, graceFrom, now);
    }

    private void happens(Transition transition) {
        becomes(Cause.TRANSITION, transition.after(), Optional.of(transition));
        if (pulse.status().hasEnded()) {
            leases = 0;
        }
    }

    private void becomes(Cause cause, Pulse after, Optional<Transition> transition) {
        steps.add(new Step(cause, pulse, after, transition, now));
        pulse = after;
    }
}
