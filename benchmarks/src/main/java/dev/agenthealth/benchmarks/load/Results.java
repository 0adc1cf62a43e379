package dev.agenthealth.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.benchmarks.load.Measure.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The samples of a run by measure and system, in the order of measurement. Not thread-safe. */
final class Results {

    private final List<String> systems;
    private final Map<Measure, Map<String, List<Sample>>> samples = new LinkedHashMap<>();

    Results(List<String> systems) {
        this.systems = systems;
    }

    void add(Measure measure, String system, Sample sample) {
        samples.computeIfAbsent(measure, m -> new LinkedHashMap<>())
                .computeIfAbsent(system, s -> new ArrayList<>())
                .add(sample);
    }

    /** Returns a table in Markdown: medians with the smallest and the largest value, and for rates the median latencies. */
    String table() {
        StringBuilder table = new StringBuilder("| measure |");
        systems.forEach(system -> table.append(' ').append(system).append(" |"));
        table.append(systems.size() == 2 ? " ratio |" : "").append("\n|---|");
        table.append("---:|".repeat(systems.size()))
                .append(systems.size() == 2 ? "---:|" : "")
                .append('\n');
        samples.forEach((measure, bySystem) -> {
            table.append("| ").append(measure.name()).append(" |");
            systems.forEach(system -> table.append(' ')
                    .append(bySystem.containsKey(system) ? cell(measure, bySystem.get(system)) : "–")
                    .append(" |"));
            table.append(systems.size() == 2 ? " " + ratio(bySystem) + " |" : "")
                    .append('\n');
        });
        return table.toString();
    }

    private static String cell(Measure measure, List<Sample> all) {
        String text = number(median(all, Sample::value)) + " " + measure.unit();
        if (all.size() > 1) {
            text += " (" + number(all.stream().mapToDouble(Sample::value).min().orElseThrow()) + "–"
                    + number(all.stream().mapToDouble(Sample::value).max().orElseThrow()) + ")";
        }
        return all.get(0).p99Millis() == 0
                ? text
                : text + "; p50 " + number(median(all, Sample::p50Millis)) + ", p99 "
                        + number(median(all, Sample::p99Millis)) + " ms";
    }

    private String ratio(Map<String, List<Sample>> bySystem) {
        if (bySystem.size() < 2) {
            return "–";
        }
        Comparison comparison = comparison(bySystem);
        String ratio = String.format(Locale.ROOT, "%.2f", comparison.ratio());
        if (bySystem.get(systems.get(0)).size() < Comparison.MIN_PAIRS) {
            return ratio;
        }
        return ratio + ", "
                + (comparison.differs() ? String.format(Locale.ROOT, "p = %.3f", comparison.p()) : "within noise");
    }

    private Comparison comparison(Map<String, List<Sample>> bySystem) {
        return Comparison.of(values(bySystem.get(systems.get(0))), values(bySystem.get(systems.get(1))));
    }

    private static List<Double> values(List<Sample> samples) {
        return samples.stream().map(Sample::value).toList();
    }

    private static double median(List<Sample> samples, ToDoubleFunction<Sample> value) {
        return Comparison.median(samples.stream().mapToDouble(value).toArray());
    }

    /** Returns three significant digits, and whole numbers from 100 on. */
    static String number(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** Returns every sample, for other programs. */
    ObjectNode json() {
        ObjectNode json = new ObjectMapper().createObjectNode();
        ArrayNode measures = json.putArray("measures");
        samples.forEach((measure, bySystem) -> {
            ObjectNode row = measures.addObject()
                    .put("name", measure.name())
                    .put("unit", measure.unit())
                    .put("higher_is_better", measure.higherIsBetter());
            bySystem.forEach((system, all) -> {
                ArrayNode values = row.withObjectProperty("samples").putArray(system);
                all.forEach(sample -> values.addObject()
                        .put("value", sample.value())
                        .put("p50_ms", sample.p50Millis())
                        .put("p99_ms", sample.p99Millis()));
            });
        });
        return json;
    }
}
