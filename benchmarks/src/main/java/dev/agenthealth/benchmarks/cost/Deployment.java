package dev.agenthealth.benchmarks.cost;

import java.util.Map;
import java.util.Set;

/**
 * The parts of the template that decide costs. Functions are named by their logical ids.
 *
 * @param functions the function of every route key
 * @param memoryMb of every function
 * @param sweepFanOutAgents a larger fleet is swept in shards of this many agents
 * @param sweepsPerMinute of its runtime configuration, 1 to 12
 * @param metrics custom metrics, each combination of dimensions counted
 * @param alarms each metric that an alarm looks at, as they are billed
 * @param keyedTables tables whose key is in AWS KMS, which charges for requests; tables with keys that AWS owns are not among them
 * @param keys keys of KMS that are charged by the month
 * @param archiveDays retention of the bus's archive; 0 without one
 * @param heartbeatLogShare share of the successful heartbeats that are logged, 0 to 1
 * @param withLambdaLines functions about whose runs Lambda writes log lines
 * @param traced functions with active tracing
 */
public record Deployment(
        Map<String, String> functions,
        Map<String, Integer> memoryMb,
        int sweepFanOutAgents,
        int sweepsPerMinute,
        int metrics,
        int alarms,
        int dashboards,
        int keyedTables,
        int keys,
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
