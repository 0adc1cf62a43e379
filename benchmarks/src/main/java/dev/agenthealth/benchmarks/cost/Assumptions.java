package dev.agenthealth.benchmarks.cost;

import java.util.EnumMap;
import java.util.Map;

/**
 * What cannot be measured outside an AWS account.
 *
 * @param hoursPerMonth as AWS counts a month
 * @param billedMs milliseconds that a deed takes of its function, by deed
 * @param keptDays days for which what a deed leaves in the tables stays there; a deed that is missing leaves nothing that counts
 * @param platformLogBytes that Lambda itself writes to the log of each run
 * @param accessLogBytes of a line of the API's access log, where it has one
 * @param responseBytes that the API adds to each answer
 * @param storedLogRatio size of a stored log to the size at which it came in
 * @param tracedShare share of runs of which a trace is recorded, where functions are traced
 * @param queuePollsPerMinute requests by which Lambda looks for messages, whether or not there are any
 */
public record Assumptions(
        double hoursPerMonth,
        Map<Deed, Double> billedMs,
        Map<Deed, Double> keptDays,
        double platformLogBytes,
        double accessLogBytes,
        double responseBytes,
        double storedLogRatio,
        double tracedShare,
        double queuePollsPerMinute) {

    private static final int BATCH = 100;

    public Assumptions {
        billedMs = Map.copyOf(billedMs);
        keptDays = Map.copyOf(keptDays);
        for (Deed deed : Deed.values()) {
            if (!billedMs.containsKey(deed)) {
                throw new IllegalArgumentException("no time of " + deed.word());
            }
        }
    }

    /** The time of one deed. */
    public double ms(Deed deed) {
        return billedMs.get(deed);
    }

    /** The time of a request with so many heartbeats, between 1 and 100. */
    public double msOfHeartbeats(int heartbeats) {
        double one = ms(Deed.HEARTBEAT);
        return one + (ms(Deed.HEARTBEATS_OF_100) - one) * (heartbeats - 1) / (BATCH - 1);
    }

    public double secondsPerMonth() {
        return hoursPerMonth * 3_600;
    }

    /** The same with another time of a single heartbeat. */
    public Assumptions withHeartbeatMs(double ms) {
        Map<Deed, Double> changed = new EnumMap<>(billedMs);
        changed.put(Deed.HEARTBEAT, ms);
        return new Assumptions(
                hoursPerMonth,
                changed,
                keptDays,
                platformLogBytes,
                accessLogBytes,
                responseBytes,
                storedLogRatio,
                tracedShare,
                queuePollsPerMinute);
    }
}
