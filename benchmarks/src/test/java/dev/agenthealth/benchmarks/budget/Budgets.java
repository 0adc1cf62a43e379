package dev.agenthealth.benchmarks.budget;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The consumption of every operation, as {@code benchmarks/budgets.json} keeps it. Immutable.
 *
 * @param requestLineBytes bytes of the line about one request in a function's log
 * @param idleMetrics number of custom metrics that a stack without agents reports
 */
record Budgets(double requestLineBytes, double idleMetrics, Map<String, Budget> operations) {

    private static final Path FILE = ProjectFiles.path("benchmarks/budgets.json");

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Returns the budget of an operation. */
    Budget of(String operation) {
        Budget budget = operations.get(operation);
        if (budget == null) {
            throw new IllegalArgumentException("no " + operation + " in " + operations.keySet());
        }
        return budget;
    }

    /** Reads the file. A missing or unknown field is an error. */
    static Budgets read() {
        try {
            return JSON.readValue(Files.readString(FILE), Budgets.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the file. */
    void write() {
        try {
            Files.writeString(FILE, JSON.writeValueAsString(this) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
