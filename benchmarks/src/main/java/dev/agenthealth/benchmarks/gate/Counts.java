package dev.agenthealth.benchmarks.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the counts of two revisions: units, bytes and events of each operation, and the sizes of the packages. Counts do not depend on
 * the machine.
 */
public final class Counts {

    private static final List<String> PACKAGES = List.of(
            "functions/target/agent-health-functions-heartbeat.jar",
            "functions/target/agent-health-functions-lambda.jar");

    /** The share by which bytes vary, since texts contain times and ids of different lengths. */
    private static final double BYTES_SHARE = 0.05;

    private static final double BYTES_MORE = 10;
    private static final double UNITS_MORE = 0.01;
    private static final double PACKAGE_SHARE = 0.01;

    private Counts() {}

    /**
     * A count that differs.
     *
     * @param grew true if it grew by more than it varies between two runs
     */
    record Change(String name, double before, double now, boolean grew) {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("usage: benchmarks/run counts OLD_TREE NEW_TREE, both built");
            System.exit(2);
        }
        List<Change> changes = changes(read(Path.of(arguments[0])), read(Path.of(arguments[1])));
        System.out.println("| count | before | now | |\n|---|---:|---:|---|");
        changes.forEach(change -> System.out.printf(
                Locale.ROOT,
                "| %s | %,.2f | %,.2f | %s |%n",
                change.name(),
                change.before(),
                change.now(),
                change.grew() ? "more" : ""));
        System.out.println(changes.isEmpty() ? "No count differs." : "");
        System.exit(changes.stream().anyMatch(Change::grew) ? 1 : 0);
    }

    /** Returns the differences in the order of the names. A count that one side lacks is no change. */
    static List<Change> changes(Map<String, Double> before, Map<String, Double> now) {
        return now.entrySet().stream()
                .filter(count -> before.containsKey(count.getKey()))
                .map(count -> change(count.getKey(), before.get(count.getKey()), count.getValue()))
                .filter(change -> change.before() != change.now())
                .toList();
    }

    private static Change change(String name, double before, double now) {
        double tolerance = UNITS_MORE;
        if (name.endsWith(".jar")) {
            tolerance = PACKAGE_SHARE * before;
        } else if (name.endsWith("bytes")) {
            tolerance = BYTES_MORE + BYTES_SHARE * before;
        }
        return new Change(name, before, now, now > before + tolerance);
    }

    private static Map<String, Double> read(Path tree) throws IOException {
        Map<String, Double> counts = new TreeMap<>();
        JsonNode budgets = new ObjectMapper()
                .readTree(tree.resolve("benchmarks/budgets.json").toFile());
        budgets.path("operations").properties().forEach(operation -> operation
                .getValue()
                .properties()
                .forEach(measure -> counts.put(
                        operation.getKey() + " " + measure.getKey(),
                        measure.getValue().asDouble())));
        for (String name : PACKAGES) {
            if (Files.isRegularFile(tree.resolve(name))) {
                counts.put(Path.of(name).getFileName().toString(), (double) Files.size(tree.resolve(name)));
            }
        }
        return counts;
    }
}
