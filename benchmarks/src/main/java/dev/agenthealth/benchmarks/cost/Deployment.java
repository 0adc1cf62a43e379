package dev.agenthealth.benchmarks.cost;

import java.util.Map;

/**
 * What of the template costs something by itself.
 *
 * @param memoryMb of every function, by logical id
 * @param sweepFanOutAgents above this many agents a pass is shared out
 * @param logDays for which logs are kept
 * @param metrics custom metrics, each combination of dimensions for itself
 * @param alarms number of alarms
 * @param dashboards number of dashboards
 * @param platformLogs whether Lambda writes lines of its own about runs that went well
 * @param accessLogs whether the API writes a line for each request
 * @param traced whether functions are traced
 * @param archived whether the bus keeps its events in an archive, for as long as logs are kept
 */
public record Deployment(
        Map<String, Integer> memoryMb,
        int sweepFanOutAgents,
        int logDays,
        int metrics,
        int alarms,
        int dashboards,
        boolean platformLogs,
        boolean accessLogs,
        boolean traced,
        boolean archived) {

    public Deployment {
        memoryMb = Map.copyOf(memoryMb);
    }

    /** Gigabytes of memory of a function. */
    public double gigabytes(String function) {
        Integer megabytes = memoryMb.get(function);
        if (megabytes == null) {
            throw new IllegalArgumentException("no function " + function);
        }
        return megabytes / 1_024.0;
    }

    public Deployment withPlatformLogs(boolean written) {
        return new Deployment(
                memoryMb,
                sweepFanOutAgents,
                logDays,
                metrics,
                alarms,
                dashboards,
                written,
                accessLogs,
                traced,
                archived);
    }

    public Deployment withAccessLogs(boolean written) {
        return new Deployment(
                memoryMb,
                sweepFanOutAgents,
                logDays,
                metrics,
                alarms,
                dashboards,
                platformLogs,
                written,
                traced,
                archived);
    }

    public Deployment withTracing(boolean active) {
        return new Deployment(
                memoryMb,
                sweepFanOutAgents,
                logDays,
                metrics,
                alarms,
                dashboards,
                platformLogs,
                accessLogs,
                active,
                archived);
    }
}
