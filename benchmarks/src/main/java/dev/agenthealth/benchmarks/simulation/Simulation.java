package dev.agenthealth.benchmarks.simulation;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Runs the scenarios of {@code docs/performance.md} and prints their tables. */
public final class Simulation {

    private static final long SEED = 17;
    private static final int INTERVAL = 30;
    private static final int MILLION = 1_000_000;
    private static final int CELLS = 10;

    private Simulation() {}

    public static void main(String[] arguments) {
        System.out.println("## The usual load\n");
        header("fleet", "limits");
        for (int agents : List.of(10_000, MILLION, 10 * MILLION)) {
            row(
                    agents + " agents, every 30 s",
                    "small",
                    FleetSimulation.run(Scenario.usual(agents, INTERVAL), Limits.SMALL, SEED));
            row(
                    agents + " agents, every 30 s",
                    "large",
                    FleetSimulation.run(Scenario.usual(agents, INTERVAL), Limits.LARGE, SEED));
        }
        row(
                "10000000 agents, every 300 s",
                "large",
                FleetSimulation.run(Scenario.usual(10 * MILLION, 10 * INTERVAL), Limits.LARGE, SEED));
        row(
                "10000000 agents, every 30 s",
                "raised tenfold",
                FleetSimulation.run(Scenario.usual(10 * MILLION, INTERVAL), Limits.RAISED, SEED));

        System.out.println("\n## After an outage: every agent returns within a second\n");
        header("fleet", "limits");
        afterOutage(10_000, "small", Limits.SMALL);
        afterOutage(MILLION, "small", Limits.SMALL);
        afterOutage(MILLION, "large", Limits.LARGE);
        afterOutage(10 * MILLION, "large", Limits.LARGE);
        afterOutage(10 * MILLION, "raised tenfold", Limits.RAISED);

        System.out.println("\n## Which limit changes it: a million agents return, limits as in large\n");
        header("changed", "limits");
        changes()
                .forEach((change, limits) -> row(
                        change,
                        "large",
                        FleetSimulation.run(Scenario.afterOutage(MILLION, INTERVAL, true), limits, SEED)));

        System.out.println("\n## Ten cells of a million agents, of which one restarts\n");
        header("cell", "limits");
        cells();

        System.out.println("\n## next_heartbeat_in_seconds\n");
        header("agents that return within a second", "limits");
        for (boolean obeys : List.of(true, false)) {
            String how = obeys ? ", obey it" : ", keep their own interval";
            row(
                    "10000" + how,
                    "large",
                    FleetSimulation.run(Scenario.afterOutage(10_000, INTERVAL, obeys), Limits.LARGE, SEED));
            row(
                    MILLION + how,
                    "raised tenfold",
                    FleetSimulation.run(Scenario.afterOutage(MILLION, INTERVAL, obeys), Limits.RAISED, SEED));
        }
    }

    /** Cells in accounts of their own share the bus that gets the events of all cells, and nothing else. */
    private static void cells() {
        row(
                "the cell that restarts",
                "large",
                FleetSimulation.run(Scenario.afterOutage(MILLION, INTERVAL, true), Limits.LARGE, SEED));
        row(
                "the slowest of the nine others",
                "large",
                IntStream.range(1, CELLS)
                        .mapToObj(other ->
                                FleetSimulation.run(Scenario.usual(MILLION, INTERVAL), Limits.LARGE, SEED + other))
                        .max(Comparator.comparingDouble(Outcome::returnedSeconds))
                        .orElseThrow());
        row(
                "for comparison: all agents in one stack restart",
                "raised tenfold",
                FleetSimulation.run(Scenario.afterOutage(CELLS * MILLION, INTERVAL, true), Limits.RAISED, SEED));
    }

    private static void afterOutage(int agents, String name, Limits limits) {
        row(agents + " agents", name, FleetSimulation.run(Scenario.afterOutage(agents, INTERVAL, true), limits, SEED));
    }

    private static Map<String, Limits> changes() {
        Limits large = Limits.LARGE;
        Map<String, Limits> changes = new LinkedHashMap<>();
        changes.put("nothing", large);
        changes.put("throttle of the API × 2", large.withApi(2 * large.api().rate()));
        changes.put(
                "concurrency × 2",
                large.withFunctions(
                        2 * large.functions().concurrency(), large.functions().newPerSecond()));
        changes.put(
                "new environments a second × 2",
                large.withFunctions(
                        large.functions().concurrency(), 2 * large.functions().newPerSecond()));
        changes.put(
                "table × 2",
                large.withTable(2 * large.table().units(), 2 * large.table().maxUnits()));
        changes.put("table not warmed", large.withTable(4_000, large.table().maxUnits()));
        changes.put("feed of 4 shards, as in small", large.withFeed(4));
        changes.put(
                "table × 2, feed of 4 shards",
                large.withTable(2 * large.table().units(), 2 * large.table().maxUnits())
                        .withFeed(4));
        changes.put("bus × 2", large.withBus(2 * large.events().onBus()));
        return changes;
    }

    private static void header(String first, String second) {
        System.out.println("| " + first + " | " + second
                + " | refuses first | refusals by | 99 % accepted once | all accepted once"
                + " | requests sent per accepted | refused in the last third | busiest second of the last third"
                + " | latest event |");
        System.out.println("|---|---|---|---|---:|---:|---:|---:|---:|---:|");
    }

    private static void row(String first, String limits, Outcome outcome) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %s | %.2f | %.1f %% | %.2f × mean | %s |%n",
                first,
                limits,
                outcome.first().map(stage -> stage.title() + at(outcome)).orElse("nothing"),
                refusals(outcome),
                seconds(outcome.returned99Seconds()),
                seconds(outcome.returnedSeconds()),
                outcome.sent() / outcome.accepted(),
                100 * outcome.steadyRefusedShare(),
                outcome.peakToMean(),
                outcome.eventDelaySeconds() == 0 ? "–" : seconds(outcome.eventDelaySeconds()));
    }

    /** Returns the share of each stage in all refusals. */
    private static String refusals(Outcome outcome) {
        double all = outcome.refused().values().stream()
                .mapToDouble(number -> number)
                .sum();
        return outcome.refused().entrySet().stream()
                .map(stage -> String.format(
                        Locale.ROOT,
                        "%s %.0f %%",
                        stage.getKey().name().toLowerCase(Locale.ROOT),
                        100 * stage.getValue() / all))
                .collect(Collectors.joining(", "));
    }

    private static String at(Outcome outcome) {
        return String.format(Locale.ROOT, " after %.1f s", outcome.firstAtSeconds());
    }

    private static String seconds(double value) {
        return Double.isInfinite(value) ? "not within 600 s" : String.format(Locale.ROOT, "%.1f s", value);
    }
}
