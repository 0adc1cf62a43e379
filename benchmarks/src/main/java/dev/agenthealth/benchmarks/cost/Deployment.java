package dev.agenthealth.benchmarks.cost;

import java.util.Map;
import java.util.Set;

/**
 * What the template says about costs. Functions are named by their logical ids.
 *
 * @param functions the function of every route key
 * @param memoryMb of every function
 * @param sweepFanOutAgents a larger fleet is swept in portions of this many agents
 * @param metrics custom metrics, each combination of dimensions counted
 * @param archiveDays retention of the bus's archive; 0 without one
 * @param heartbeatLogShare share of the successful heartbeats that are logged, 0 to 1
 * @param withLambdaLines functions about whose runs Lambda writes log lines
 * @param traced functions with active tracing
 */
public record Deployment(
        Map<String, String> functions,
        Map<String, Integer> memoryMb,
        int sweepFanOutAgents,
        int metrics,
        int alarms,
        int dashboards,
        int archiveDays,
        int logDays,
        boolean accessLog,
        double heartbeatLogShare,
        Set<String> withLambdaLines,
        Set<String> traced) {

    /** The logical id of the function that runs an operation. */
    String function(Operation operation) {
        String id = functions.getOrDefault(operation.handler(), operation.handler());
        if (!memoryMb.containsKey(id)) {
            throw new IllegalArgumentException("no function for " + operation.handler());
        }
        return id;
    }

    int memoryMb(Operation operation) {
        return memoryMb.get(function(operation));
    }
}
