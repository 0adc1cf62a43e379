package dev.agenthealth.model.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * The result of the canary heartbeats that the registry sent to itself.
 *
 * @param arrived the number of acknowledged and stored heartbeats
 * @param lost the number of heartbeats that were neither, or were refused by anything but a limit
 * @param throttled the number of heartbeats refused by a limit of the account or of the route (429)
 */
public record SelfCheckResult(int arrived, int lost, int throttled) {

    /** The result before the first heartbeat. */
    public static final SelfCheckResult NONE = new SelfCheckResult(0, 0, 0);

    /** The maximum number of heartbeats to one address. */
    public static final int MAX_SENT = 5;

    /** The number of equal results that decides. A single result may be chance, and two of three are not. */
    public static final int MAJORITY = 2;

    /** The time without a conclusive result after which agents count as throttled too. The registry then causes their missing heartbeats. */
    public static final Duration MAX_INCONCLUSIVE = Duration.ofMinutes(1);

    /** The meaning of a result. */
    public enum Verdict {
        /** Heartbeats arrive. */
        PASSED,
        /** Limits refused so many heartbeats that nothing follows. */
        INCONCLUSIVE,
        /** Heartbeats do not arrive. */
        FAILED
    }

    /** Returns the number of sent heartbeats. */
    public int sent() {
        return arrived + lost + throttled;
    }

    /** Returns whether this address needs no further heartbeat. */
    public boolean isDecided() {
        return arrived >= MAJORITY || lost >= MAJORITY || sent() >= MAX_SENT;
    }

    /** Returns the verdict on one address. */
    public Verdict verdict() {
        if (lost >= MAJORITY) {
            return Verdict.FAILED;
        }
        return arrived >= MAJORITY ? Verdict.PASSED : Verdict.INCONCLUSIVE;
    }

    /** Returns the worst verdict on several addresses, as agents may use any of them. */
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
