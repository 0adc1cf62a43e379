package dev.agenthealth.benchmarks.cost;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The figures that the model computes with, read from the JSON files of a folder. Immutable. */
public record CostData(Prices prices, Assumptions assumptions, Budgets budgets) {

    private static final String BUDGETS = "budgets.json";

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** Unit prices of one Region on one day, by name. */
    public record Prices(
            String region, String asOf, String remark, Map<String, Tariff> prices, List<String> freeOfCharge) {

        Tariff of(String price) {
            return present(prices, price);
        }
    }

    /**
     * Assumptions, which cannot be measured outside an AWS account.
     *
     * @param responseBytes that the API adds to each response
     * @param storedLogRatio stored size of a log divided by its ingested size
     * @param tracedShare share of the runs of a traced function that are recorded, besides the first of each second
     * @param tableKeyMinutes for which DynamoDB keeps the key of a table in memory for a role that uses it
     * @param containerHeartbeatMs of a processor for a heartbeat in a container, measured with DynamoDB Local on a machine with other work
     * @param containerUtilisation of the processors of containers
     * @param balancerConnectionsPerUnit open at a time, for the price of a capacity unit of a load balancer
     * @param activityPerDay means per agent
     * @param settings of a scenario unless a lever changes them
     */
    public record Assumptions(
            String remark,
            double hoursPerMonth,
            double platformLogBytes,
            double accessLogBytes,
            double responseBytes,
            double storedLogRatio,
            double tracedShare,
            double tableKeyMinutes,
            double queuePollsPerMinute,
            double containerHeartbeatMs,
            double containerUtilisation,
            double containerGbPerVcpu,
            double balancerConnectionsPerUnit,
            Map<String, Double> activityPerDay,
            Map<String, Double> settings,
            List<Lever> levers,
            List<Operation> operations) {

        Operation operation(String name) {
            return operations.stream()
                    .filter(operation -> operation.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no operation " + name));
        }
    }

    /** The settings that an operator can change. */
    public record Lever(String change, Map<String, Double> settings) {}

    /**
     * The consumption of every operation.
     *
     * @param requestLineBytes of a line about one request in a function's log
     * @param idleMetrics custom metrics that a stack without agents reports
     */
    public record Budgets(double requestLineBytes, double idleMetrics, Map<String, Budget> operations) {

        public Budget of(String operation) {
            return present(operations, operation);
        }
    }

    /** Reads {@code prices.json}, {@code assumptions.json} and {@code budgets.json}; a missing or unknown field is an error. */
    public static CostData read(Path folder) {
        return new CostData(
                parse(folder, "prices.json", Prices.class),
                parse(folder, "assumptions.json", Assumptions.class),
                parse(folder, BUDGETS, Budgets.class));
    }

    /** Replaces {@code budgets.json}. */
    public static void write(Path folder, Budgets budgets) {
        try {
            Files.writeString(folder.resolve(BUDGETS), JSON.writeValueAsString(budgets) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T parse(Path folder, String file, Class<T> type) {
        try {
            return parse(Files.readString(folder.resolve(file)), type);
        } catch (IOException e) {
            throw new UncheckedIOException(file, e);
        }
    }

    static <T> T parse(String text, Class<T> type) throws JsonProcessingException {
        return JSON.readerFor(type)
                .with(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .readValue(text);
    }

    private static <T> T present(Map<String, T> map, String key) {
        T value = map.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in " + map.keySet());
        }
        return value;
    }
}
