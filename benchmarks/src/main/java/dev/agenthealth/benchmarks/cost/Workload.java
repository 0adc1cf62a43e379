package dev.agenthealth.benchmarks.cost;

/**
 * What a fleet does in a month, and how its stack is set up.
 *
 * @param agents monitored agents
 * @param intervalSeconds between two heartbeats of an agent; above 0
 * @param agentsPerRequest heartbeats sent in one request, 1 to 100
 * @param activity what agents do besides
 * @param reportsRide whether reports of outcomes come with a heartbeat instead of in requests of their own
 * @param sweepPassesPerMinute 1 to 12
 * @param capacity how the pulses table's capacity is paid for; the registry table's is on demand, as its load is uneven
 */
public record Workload(
        long agents,
        double intervalSeconds,
        int agentsPerRequest,
        Activity activity,
        boolean reportsRide,
        int sweepPassesPerMinute,
        Capacity capacity) {

    public Workload {
        if (agents < 0 || !(intervalSeconds > 0) || agentsPerRequest < 1 || agentsPerRequest > 100) {
            throw new IllegalArgumentException("no fleet beats like that");
        }
        if (sweepPassesPerMinute < 1 || sweepPassesPerMinute > 12) {
            throw new IllegalArgumentException("no stack is set up like that");
        }
    }

    /** Agents that beat every 30 seconds, each for itself, on a stack as it is by default. */
    public static Workload of(long agents, Activity activity) {
        return new Workload(agents, 30, 1, activity, false, 1, new Capacity.OnDemand());
    }

    public Workload withInterval(double seconds) {
        return new Workload(agents, seconds, agentsPerRequest, activity, reportsRide, sweepPassesPerMinute, capacity);
    }

    public Workload withAgentsPerRequest(int heartbeats) {
        return new Workload(agents, intervalSeconds, heartbeats, activity, reportsRide, sweepPassesPerMinute, capacity);
    }

    public Workload withRidingReports() {
        return new Workload(agents, intervalSeconds, agentsPerRequest, activity, true, sweepPassesPerMinute, capacity);
    }

    public Workload withSweepPasses(int perMinute) {
        return new Workload(agents, intervalSeconds, agentsPerRequest, activity, reportsRide, perMinute, capacity);
    }

    public Workload withCapacity(Capacity other) {
        return new Workload(
                agents, intervalSeconds, agentsPerRequest, activity, reportsRide, sweepPassesPerMinute, other);
    }

    /** Requests with heartbeats a second, of the whole fleet. */
    public double heartbeatRequestsPerSecond() {
        return agents / intervalSeconds / agentsPerRequest;
    }
}
