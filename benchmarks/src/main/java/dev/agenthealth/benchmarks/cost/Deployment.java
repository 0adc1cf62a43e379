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
 * @param traced logical ids of the functions that are traced
 */
public record Deployment(
        Map<String, Integer> memoryMb, int sweepFanOutAgents, Standing standing, Logs logs, Set<String> traced) {

    public Deployment {
        memoryMb = Map.copyOf(memoryMb);
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
    public record Standing(int metrics, int alarms, int dashboards, int archiveDays) {}

    /**
     * What is written about runs and requests.
     *
     * @param days for which it is kept
     * @param ofPlatform whether Lambda writes lines of its own about runs that went well
     * @param ofAccess whether the API writes a line for each request
     * @param share of the heartbeats that went well of which the function writes a line, 0 to 1
     */
    public record Logs(int days, boolean ofPlatform, boolean ofAccess, double share) {

        public Logs withPlatform(boolean written) {
            return new Logs(days, written, ofAccess, share);
        }

        public Logs withAccess(boolean written) {
            return new Logs(days, ofPlatform, written, share);
        }

        public Logs withShare(double written) {
            return new Logs(days, ofPlatform, ofAccess, written);
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
        return new Deployment(memoryMb, sweepFanOutAgents, standing, other, traced);
    }

    /** The same with exactly these functions traced. */
    public Deployment withTraced(Set<String> functions) {
        return new Deployment(memoryMb, sweepFanOutAgents, standing, logs, functions);
    }
}
