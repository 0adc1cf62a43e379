package dev.agenthealth.benchmarks.cost;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Round numbers for calculating by hand. */
final class Samples {

    private Samples() {}

    /** The repository's root, from whichever folder in it a test runs. */
    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("template.yaml"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** The files that the document is made of. */
    static CostFiles files() {
        return new CostFiles(root().resolve("benchmarks"));
    }

    /** Every deed takes one write unit of pulses, two read units of the registry and 1,024 bytes of log; nothing else. */
    static Budgets budgets() {
        Map<Deed, Budget> byDeed = new EnumMap<>(Deed.class);
        for (Deed deed : Deed.values()) {
            byDeed.put(deed, new Budget(0, 1, 2, 0, 100, 0, 1_024, 0, 0, 0));
        }
        byDeed.put(Deed.HEARTBEATS_OF_100, new Budget(0, 100, 2, 0, 10_000, 0, 1_024, 0, 0, 0));
        return new Budgets(byDeed, 2_048);
    }

    /** A month of 1,000 hours, in which every deed takes 100 ms. */
    static Assumptions assumptions() {
        Map<Deed, Double> ms = Arrays.stream(Deed.values()).collect(Collectors.toMap(deed -> deed, deed -> 100.0));
        return new Assumptions(1_000, ms, Map.of(), 1_024, 1_024, 0, 0, 0.05, 0);
    }

    /** Functions of 2 GB, and nothing that costs something by itself. */
    static Deployment deployment() {
        Map<String, Integer> memory = Arrays.stream(Deed.values())
                .map(Deed::function)
                .distinct()
                .collect(Collectors.toMap(function -> function, function -> 2_048));
        return new Deployment(
                memory,
                200_000,
                new Deployment.HealthSummary(0, 0, 0, 0),
                new Deployment.Logs(30, false, 0),
                Set.of(),
                Set.of());
    }

    /** Everything costs a dollar a unit. */
    static PriceList prices() {
        Map<Price, Tariff> tariffs = new EnumMap<>(Price.class);
        for (Price price : Price.values()) {
            tariffs.put(
                    price,
                    new Tariff(
                            price.word(), 1, List.of(new Tariff.Tier(Double.POSITIVE_INFINITY, 1)), "page", "found"));
        }
        return new PriceList("nowhere", "2026-01-01", "remark", tariffs, new ArrayList<>());
    }
}
