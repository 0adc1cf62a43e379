package dev.agenthealth.benchmarks.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The numbers that the model is fed with, as they are in the files of a folder: prices, assumptions, budgets. */
public final class CostFiles {

    private static final String PRICES = "prices.json";
    private static final String ASSUMPTIONS = "assumptions.json";
    private static final String BUDGETS = "budgets.json";

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Path folder;

    public CostFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * The unit prices.
     *
     * @throws IllegalArgumentException where the file lacks something
     */
    public PriceList prices() {
        JsonNode file = read(PRICES);
        Map<Price, Tariff> tariffs = new EnumMap<>(Price.class);
        for (Price price : Price.values()) {
            JsonNode tariff = required(required(file, "prices"), price.word());
            List<Tariff.Tier> tiers = new ArrayList<>();
            for (JsonNode tier : required(tariff, "tiers")) {
                double upTo = tier.path("up_to").asDouble(Double.POSITIVE_INFINITY);
                tiers.add(new Tariff.Tier(upTo, number(tier, "usd")));
            }
            tariffs.put(
                    price,
                    new Tariff(
                            text(tariff, "unit"),
                            number(tariff, "per"),
                            tiers,
                            text(tariff, "page"),
                            text(tariff, "found")));
        }
        if (file.path("prices").size() != tariffs.size()) {
            throw new IllegalArgumentException(PRICES + " has a price of something else");
        }
        List<String> free = new ArrayList<>();
        required(file, "free_of_charge").forEach(line -> free.add(line.textValue()));
        return new PriceList(text(file, "region"), text(file, "as_of"), text(file, "remark"), tariffs, free);
    }

    /**
     * What is assumed.
     *
     * @throws IllegalArgumentException where the file lacks something
     */
    public Assumptions assumptions() {
        JsonNode file = read(ASSUMPTIONS);
        return new Assumptions(
                number(file, "hours_per_month"),
                byDeed(required(file, "billed_ms")),
                byDeed(required(file, "kept_days")),
                number(file, "platform_log_bytes"),
                number(file, "access_log_bytes"),
                number(file, "response_bytes"),
                number(file, "stored_log_ratio"),
                number(file, "traced_share"),
                number(file, "queue_polls_per_minute"));
    }

    /**
     * What was measured.
     *
     * @throws IllegalArgumentException where the file lacks something
     */
    public Budgets budgets() {
        JsonNode file = read(BUDGETS);
        Map<Deed, Budget> byDeed = new EnumMap<>(Deed.class);
        for (Deed deed : Deed.values()) {
            JsonNode budget = required(required(file, "deeds"), deed.word());
            byDeed.put(
                    deed,
                    new Budget(
                            number(budget, "pulses_read_units"),
                            number(budget, "pulses_write_units"),
                            number(budget, "registry_read_units"),
                            number(budget, "registry_write_units"),
                            number(budget, "request_bytes"),
                            number(budget, "response_bytes"),
                            number(budget, "log_bytes"),
                            number(budget, "stored_bytes"),
                            number(budget, "events"),
                            number(budget, "event_bytes")));
        }
        return new Budgets(byDeed, number(file, "request_line_bytes"));
    }

    /** Replaces the file of what was measured. */
    public void write(Budgets budgets) {
        ObjectNode file = JSON.createObjectNode();
        file.put("request_line_bytes", round(budgets.requestLineBytes()));
        ObjectNode deeds = file.putObject("deeds");
        for (Deed deed : Deed.values()) {
            Budget budget = budgets.of(deed);
            deeds.putObject(deed.word())
                    .put("pulses_read_units", round(budget.pulsesReadUnits()))
                    .put("pulses_write_units", round(budget.pulsesWriteUnits()))
                    .put("registry_read_units", round(budget.registryReadUnits()))
                    .put("registry_write_units", round(budget.registryWriteUnits()))
                    .put("request_bytes", round(budget.requestBytes()))
                    .put("response_bytes", round(budget.responseBytes()))
                    .put("log_bytes", round(budget.logBytes()))
                    .put("stored_bytes", round(budget.storedBytes()))
                    .put("events", round(budget.events()))
                    .put("event_bytes", round(budget.eventBytes()));
        }
        try {
            Files.writeString(folder.resolve(BUDGETS), JSON.writeValueAsString(file) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double round(double number) {
        return Math.round(number * 100) / 100.0;
    }

    private static Map<Deed, Double> byDeed(JsonNode numbers) {
        Map<Deed, Double> byDeed = new EnumMap<>(Deed.class);
        for (Deed deed : Deed.values()) {
            if (numbers.has(deed.word())) {
                byDeed.put(deed, number(numbers, deed.word()));
            }
        }
        if (byDeed.size() != numbers.size()) {
            throw new IllegalArgumentException("a deed that there is not: " + numbers);
        }
        return byDeed;
    }

    private JsonNode read(String name) {
        try {
            return JSON.readTree(Files.readString(folder.resolve(name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double number(JsonNode parent, String name) {
        JsonNode value = required(parent, name);
        if (!value.isNumber() || value.doubleValue() < 0) {
            throw new IllegalArgumentException(name + " must be a number of at least 0");
        }
        return value.doubleValue();
    }

    private static String text(JsonNode parent, String name) {
        JsonNode value = required(parent, name);
        if (!value.isTextual() || value.textValue().isBlank()) {
            throw new IllegalArgumentException(name + " must be a text");
        }
        return value.textValue();
    }

    private static JsonNode required(JsonNode parent, String name) {
        JsonNode value = parent.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }
}
