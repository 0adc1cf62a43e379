package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/** Finds and corrects the times of a pulse that only a clock that ran ahead can have written, by {@link ClockRule}. */
public final class AheadRule {

    private AheadRule() {}

    /** Returns whether the row has times that only a clock that ran ahead can have written. */
    public static boolean isAhead(Pulse pulse, Duration maxAhead, Instant now) {
        return ClockRule.isTooFarAhead(pulse.statusSince(), maxAhead, now)
                || ClockRule.isTooFarAhead(pulse.lastHeartbeatAt(), maxAhead, now)
                || ClockRule.isTooFarAhead(pulse.driftReportedAt(), maxAhead, now)
                || pulse.drain().bounded(maxAhead, now) != pulse.drain()
                || pulse.activity().bounded(maxAhead, now) != pulse.activity()
                || !pulse.personWait().bounded(maxAhead, now).equals(pulse.personWait());
    }

    /**
     * Returns the pulse with the present instead of times in the future: the last heartbeat, the beginning of the status and of the drain. No event
     * and no new version follow, as the agent does not change.
     *
     * @param maxAhead the maximum difference between this clock and the clock that wrote the row
     */
    public static Pulse bounded(Pulse pulse, Duration maxAhead, Instant now) {
        LifecycleState lifecycle = pulse.lifecycle();
        HeartbeatsSeen heard = pulse.heard();
        return new Pulse(
                pulse.agentId(),
                pulse.numbers(),
                new LifecycleState(
                        lifecycle.status(),
                        ClockRule.bounded(lifecycle.since(), maxAhead, now),
                        lifecycle.drain().bounded(maxAhead, now),
                        lifecycle.cleanUp(),
                        lifecycle.dismissed(),
                        lifecycle.lastEnd()),
                new HeartbeatsSeen(ClockRule.bounded(heard.lastAt(), maxAhead, now), heard.count(), heard.by()),
                pulse.terms(),
                pulse.reported()
                        .with(pulse.activity().bounded(maxAhead, now))
                        .with(pulse.personWait().bounded(maxAhead, now)),
                pulse.published().withDriftAt(ClockRule.bounded(pulse.driftReportedAt(), maxAhead, now)));
    }
}
