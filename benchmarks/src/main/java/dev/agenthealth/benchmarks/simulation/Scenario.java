package dev.agenthealth.benchmarks.simulation;

/**
 * A fleet and its load.
 *
 * @param agents the number of agents
 * @param intervalSeconds the declared time between two heartbeats
 * @param returnSeconds the time over which the first heartbeats of all agents are spread
 * @param obeysNext true if agents wait as {@code next_heartbeat_in_seconds} asks, false for the declared interval
 * @param firstUnits write units of an agent's first heartbeat in the table of pulses: 1, or the units of a recovery if the agents are
 *     unhealthy
 * @param firstEvents events of an agent's first heartbeat
 * @param seconds the simulated time
 * @param maxSimulated maximum number of agents that are simulated one by one; in larger fleets a simulated agent stands for several agents
 */
record Scenario(
        int agents,
        int intervalSeconds,
        double returnSeconds,
        boolean obeysNext,
        double firstUnits,
        int firstEvents,
        int seconds,
        int maxSimulated) {

    /** The write units of a recovery, {@code recovery} of {@code benchmarks/budgets.json}. */
    static final double RECOVERY_UNITS = 7;

    /** The write units of an event in the index of the feed: an event has between one and two kilobytes. */
    static final double FEED_UNITS = 2;

    private static final int MAX_SIMULATED = 50_000;
    private static final int SECONDS = 600;

    /** Returns the usual load: agents that start over one interval. */
    static Scenario usual(int agents, int intervalSeconds) {
        return new Scenario(agents, intervalSeconds, intervalSeconds, true, 1, 0, SECONDS, MAX_SIMULATED);
    }

    /** Returns the load after an outage: all agents are unhealthy, and return within a second. */
    static Scenario afterOutage(int agents, int intervalSeconds, boolean obeysNext) {
        return new Scenario(agents, intervalSeconds, 1, obeysNext, RECOVERY_UNITS, 1, SECONDS, MAX_SIMULATED);
    }

    /** Returns the number of agents that a simulated agent stands for. */
    double agentsEach() {
        return Math.max(1, agents / (double) maxSimulated);
    }
}
