package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * The result of the heartbeats that the registry sent to itself.
 *
 * @param arrived acknowledged and stored
 * @param lost neither, or refused for another reason than a limit
 * @param throttled refused by a limit of the account or of the route (429)
 */
public record SelfCheckResult(int arrived, int lost, int throttled) {

    /** Before the first heartbeat. */
    public static final SelfCheckResult NONE = new SelfCheckResult(0, 0, 0);

    /** Maximum heartbeats to one address. */
    public static final int MAX_SENT = 5;

    /** Heartbeats that decide: one result more often than the other is possible by chance, two in a row of three are not. */
    public static final int MAJORITY = 2;

    /** After so long without a conclusive result, agents are throttled too: silence is the registry's own. */
    public static final Duration MAX_INCONCLUSIVE = Duration.ofMinutes(1);

    /** The meaning of a result. */
    public enum Verdict {
        /** Heartbeats arrive. */
        PASSED,
        /** Limits refused so many that nothing follows. */
        INCONCLUSIVE,
        /** Heartbeats do not arrive. */
        FAILED
    }

    /** Returns how many were sent. */
    public int sent() {
        return arrived + lost + throttled;
    }

    /** Returns whether no further heartbeat to this address is needed. */
    public boolean isDecided() {
        return arrived >= MAJORITY || lost >= MAJORITY || sent() >= MAX_SENT;
    }

    /** Returns what the heartbeats to one address mean. */
    public Verdict verdict() {
        if (lost >= MAJORITY) {
            return Verdict.FAILED;
        }
        return arrived >= MAJORITY ? Verdict.PASSED : Verdict.INCONCLUSIVE;
    }

    /** Returns the worst verdict of several addresses: agents may use any of them. */
    public static Verdict verdict(Collection<SelfCheckResult> ofAddresses) {
        return ofAddresses.stream()
                .map(SelfCheckResult::verdict)
                .max(Verdict::compareTo)
                .orElseThrow();
    }

    /** Returns whether results have been inconclusive for too long. */
    public static boolean isTooLong(Instant inconclusiveSince, Instant now) {
        return ClockRule.hasPassed(inconclusiveSince, MAX_INCONCLUSIVE, now);
    }

    public SelfCheckResult plus(SelfCheckResult more) {
        return new SelfCheckResult(arrived + more.arrived, lost + more.lost, throttled + more.throttled);
    }
}
