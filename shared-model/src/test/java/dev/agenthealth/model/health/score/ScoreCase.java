package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A line of {@code score/cases.csv}, which says what its columns mean. */
record ScoreCase(Map<String, String> columns) {

    private static final Map<String, Expectation> DECLARED = Map.of(
            "ESR", Expectation.SUCCESS_RATE,
            "EFH", Expectation.FAILURES_PER_HOUR,
            "N_full", Expectation.FULL_CONFIDENCE_EXECUTIONS,
            "ER", Expectation.RUNTIME_MS,
            "deviation", Expectation.DEVIATION_ALLOWED,
            "S_thr", Expectation.LONG_RUNNING_THRESHOLD,
            "B_thr", Expectation.SLA_BREACH_THRESHOLD,
            "T_thr", Expectation.TRIGGER_FAILURE_THRESHOLD);

    static List<ScoreCase> all() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                ScoreCase.class.getResourceAsStream("/score/cases.csv"), StandardCharsets.UTF_8))) {
            List<String[]> lines = reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line ->
                            Stream.of(line.split(",", -1)).map(String::trim).toArray(String[]::new))
                    .toList();
            return lines.stream().skip(1).map(line -> of(lines.get(0), line)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScoreCase of(String[] names, String[] values) {
        if (values.length != names.length) {
            throw new IllegalStateException(values.length + " columns: " + values[0]);
        }
        Map<String, String> columns = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            columns.put(names[i], values[i]);
        }
        return new ScoreCase(columns);
    }

    boolean has(String column) {
        return !text(column).isEmpty();
    }

    String text(String column) {
        String value = columns.get(column);
        if (value == null) {
            throw new IllegalStateException("no column " + column);
        }
        return value;
    }

    double number(String column) {
        return Double.parseDouble(text(column));
    }

    Expectations expectations() {
        Map<Expectation, Double> declared = new EnumMap<>(Expectation.class);
        DECLARED.forEach((column, expectation) -> {
            if (has(column)) {
                declared.put(expectation, number(column));
            }
        });
        return new Expectations(declared);
    }

    OutcomeCounts counts() {
        Map<OutcomeCounter, Long> counters = new EnumMap<>(OutcomeCounter.class);
        counters.put(OutcomeCounter.SELF_SUCCESSES, count("successes"));
        counters.put(OutcomeCounter.SELF_FAILURES, count("failures"));
        counters.put(OutcomeCounter.LONG_RUNNING, count("S"));
        counters.put(OutcomeCounter.SLA_BREACHES, count("B"));
        counters.put(OutcomeCounter.TRIGGER_FAILURES, count("T"));
        if (has("AR")) {
            long executions = count("successes") + count("failures");
            counters.put(OutcomeCounter.LATENCIES, executions);
            counters.put(OutcomeCounter.LATENCY_MICROS, Math.round(number("AR") * 1_000 * executions));
        }
        return OutcomeCounts.of(counters, LatencyHistogram.EMPTY);
    }

    private long count(String column) {
        return Long.parseLong(text(column));
    }

    @Override
    public String toString() {
        return text("case");
    }
}
