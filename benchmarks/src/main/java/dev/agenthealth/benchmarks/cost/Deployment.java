package dev.agenthealth.benchmarks.cost;

import java.util.Map;
import java.util.Set;

/**
 * What of the template costs something by itself.
 *
 * @param memoryMb of every function, by logical id
 * @param sweepFanOutAgents above this many agents a pass is shared out
 * @param standing what is there whether or not it is used
 * @param logs what is written about runs and requests
 * @param noted logical ids of the functions about each run of which Lambda writes lines of its own
 * @param traced logical ids of the functions that are traced
 */
public record Deployment(
        Map<String, Integer> memoryMb,
        int sweepFanOutAgents,
        HealthSummary standing,
        Logs logs,
        Set<String> noted,
        Set<String> traced) {

    public Deployment {
        memoryMb = Map.copyOf(memoryMb);
        noted = Set.copyOf(noted);
        traced = Set.copyOf(traced);
    }

    /**
     * What is there whether or not it is used.
     *
     * @param metrics custom metrics, each combination of dimensions for itself
     * @param alarms number of alarms
     * @param dashboards number of dashboards
     * @param archiveDays for which the bus keeps its events; 0 where it keeps none
     */
    public record HealthSummary(int metrics, int alarms, int dashboards, int archiveDays) {}

    /**
     * What is written about runs and requests.
     *
     * @param days for which it is kept
     * @param ofAccess whether the API writes a line for each request
     * @param share of the heartbeats that went well of which the function writes a line, 0 to 1
     */
    public record Logs(int days, boolean ofAccess, double share) {

        public Logs withAccess(boolean written) {
            return new Logs(days, written, share);
        }

        public Logs withShare(double written) {
            return new Logs(days, ofAccess, written);
        }
    }

    /** Gigabytes of memory of a function. */
    public double gigabytes(String function) {
        Integer megabytes = memoryMb.get(function);
        if (megabytes == null) {
            throw new IllegalArgumentException("no function " + function);
        }
        return megabytes / 1_024.0;
    }

    public Deployment withLogs(Logs other) {
        return new Deployment(memoryMb, sweepFanOutAgents, standing, other, noted, traced);
    }

    /** The same with lines of Lambda about exactly these functions. */
    public Deployment withNoted(Set<String> functions) {
        return new Deployment(memoryMb, sweepFanOutAgents, standing, logs, functions, traced);
    }

    /** The same with exactly these functions traced. */
    public Deployment withTraced(Set<String> functions) {
        return new Deployment(memoryMb, sweepFanOutAgents, standing, logs, noted, functions);
    }
}
