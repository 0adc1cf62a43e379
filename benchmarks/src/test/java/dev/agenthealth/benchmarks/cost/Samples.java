package dev.agenthealth.benchmarks.cost;

import dev.agenthealth.benchmarks.cost.CostData.Assumptions;
import dev.agenthealth.benchmarks.cost.CostData.Budgets;
import dev.agenthealth.benchmarks.cost.CostData.Prices;
import dev.agenthealth.testkit.ProjectFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The project's cost data, and round numbers for calculating by hand. */
final class Samples {

    static final Path FOLDER = ProjectFiles.path("benchmarks");

    private static final CostData PROJECT = CostData.read(FOLDER);

    private Samples() {}

    static CostData project() {
        return PROJECT;
    }

    /**
     * Every unit costs a dollar, and the month has 1,000 hours. Every operation takes 100 ms, one write unit of pulses, two read units of the
     * registry and 1,024 bytes of log.
     */
    static CostData round() {
        Map<String, Tariff> tariffs = PROJECT.prices().prices().keySet().stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> new Tariff(
                                name, 1, List.of(new Tariff.Tier(Double.POSITIVE_INFINITY, 1.0)), "page", "found")));
        List<Operation> operations = PROJECT.assumptions().operations().stream()
                .map(o -> new Operation(
                        o.name(),
                        o.description(),
                        o.start(),
                        o.handler(),
                        o.purpose(),
                        100,
                        o.rate(),
                        o.measured(),
                        0.0))
                .toList();
        Map<String, Budget> budgets = new HashMap<>();
        operations.forEach(operation -> budgets.put(operation.name(), budget(1)));
        budgets.put("heartbeats_of_100", budget(100));
        return new CostData(
                new Prices("nowhere", "2026-01-01", "remark", tariffs, List.of()),
                new Assumptions(
                        "remark",
                        1_000,
                        1_024,
                        1_024,
                        0,
                        0,
                        0.05,
                        5,
                        0,
                        1,
                        0.5,
                        2,
                        1_000,
                        Map.of(),
                        PROJECT.assumptions().settings(),
                        List.of(),
                        operations),
                new Budgets(2_048, 10, budgets));
    }

    private static Budget budget(double pulsesWriteUnits) {
        return new Budget(Map.of(
                Measure.PULSES_WRITE_UNITS, pulsesWriteUnits,
                Measure.REGISTRY_READ_UNITS, 2.0,
                Measure.LOG_BYTES, 1_024.0));
    }

    /** Functions of 2 GB, nothing with a cost of its own, no logs but the functions', no traces. */
    static Deployment deployment() {
        Map<String, Integer> memory = PROJECT.assumptions().operations().stream()
                .map(Operation::handler)
                .distinct()
                .collect(Collectors.toMap(handler -> handler, handler -> 2_048));
        return new Deployment(Map.of(), memory, 200_000, 1, 20, 0, 0, 0, 0, 0, 30, false, 0, Set.of(), Set.of());
    }
}
