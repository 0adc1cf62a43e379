package dev.agenthealth.benchmarks.cost;

/**
 * What agents do besides beating. Rates are means per agent; all are 0 or more.
 *
 * @param reportsPerHour reports of 100 outcomes each
 * @param restartsPerDay deregistrations, each with a registration after it
 * @param silencesPerDay silences that are found and that end with a heartbeat
 * @param healthReadsPerDay reads of its health document
 * @param discoveriesPerDay searches for agents
 * @param leasesPerDay leases acquired, renewed once and released
 * @param invocationsPerDay invocations of it that are waited for
 * @param asyncInvocationsPerDay invocations of it that are not
 */
public record Activity(
        double reportsPerHour,
        double restartsPerDay,
        double silencesPerDay,
        double healthReadsPerDay,
        double discoveriesPerDay,
        double leasesPerDay,
        double invocationsPerDay,
        double asyncInvocationsPerDay) {

    /** Nothing. */
    public static final Activity NONE = new Activity(0, 0, 0, 0, 0, 0, 0, 0);

    /** A bit of everything. */
    public static final Activity TYPICAL = new Activity(1, 1, 0.1, 24, 1, 5, 5, 5);
}
