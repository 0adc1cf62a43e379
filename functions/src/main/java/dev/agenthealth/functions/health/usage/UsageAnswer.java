package dev.agenthealth.functions.health.usage;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.health.usage.UsageRoutes.By;
import dev.agenthealth.functions.health.usage.UsageRoutes.Step;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.CsvResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Period;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.PriceTable;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageCounter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The answer with usage over time: totals and series as JSON, or points as CSV (RFC 4180).
 *
 * @param by the subjects of the series
 * @param step the time between two points
 * @param period the period that the caller chose
 * @param csv whether the format is CSV
 * @param prices the prices by which the cost is estimated
 */
record UsageAnswer(By by, Step step, Period period, boolean csv, PriceTable prices) {

    private static final String CURRENCY = "currency";
    private static final String ESTIMATED_COST = "estimated_cost";

    /** The maximum number of series: the subjects with the most tokens. */
    static final int MAX_SERIES = 100;

    /** Returns whether the caller asks for CSV, with {@code format} or with the header {@code Accept}. */
    static boolean isCsv(ApiRequest request, Fields query) {
        return CsvResponse.isWanted(request, query);
    }

    private record Series(String subject, Usage total, SortedMap<Long, Usage> points) {}

    ApiResponse of(Map<String, SortedMap<Long, Usage>> bySubject) {
        List<Series> series = bySubject.entrySet().stream()
                .map(entry -> new Series(entry.getKey(), total(entry.getValue()), entry.getValue()))
                .sorted(Comparator.comparingLong((Series one) -> -one.total().tokens(true))
                        .thenComparing(Series::subject))
                .toList();
        List<Series> shown = series.stream().limit(MAX_SERIES).toList();
        return csv ? csv(shown) : json(series, shown);
    }

    private static Usage total(SortedMap<Long, Usage> points) {
        return points.values().stream().reduce(Usage.NONE, Usage::plus);
    }

    private ApiResponse json(List<Series> all, List<Series> shown) {
        ObjectNode json = Json.object()
                .put("by", by.wireName())
                .put("step", step.wireName())
                .put("from", Timestamps.text(period.from()))
                .put("to", Timestamps.text(period.to()));
        Usage total = all.stream().map(Series::total).reduce(Usage.NONE, Usage::plus);
        if (prices.isDeclared()) {
            json.put(CURRENCY, prices.currency())
                    .put("estimate", true)
                    .put("unpriced_tokens", prices.unpricedTokens(total));
        }
        put(json.putObject("total"), total);
        ArrayNode list = json.putArray("series");
        for (Series one : shown) {
            ObjectNode object = list.addObject().put("id", one.subject());
            put(object.putObject("total"), one.total());
            ArrayNode points = object.putArray("points");
            one.points().forEach((at, usage) -> put(points.addObject().put("at", at(at)), usage));
        }
        json.put("truncated", shown.size() < all.size());
        return ApiResponse.json(200, json);
    }

    private void put(ObjectNode json, Usage usage) {
        Counts<UsageCounter> numbers = usage.total();
        for (UsageCounter counter : UsageCounter.values()) {
            json.put(counter.wireName(), numbers.get(counter));
        }
        if (prices.isDeclared()) {
            json.put(ESTIMATED_COST, prices.cost(usage));
        }
    }

    private String at(long at) {
        return Timestamps.text(HourUsage.start(step.hour(at)));
    }

    private ApiResponse csv(List<Series> shown) {
        List<List<String>> lines = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of(by.wireName(), "at"));
        for (UsageCounter counter : UsageCounter.values()) {
            header.add(counter.wireName());
        }
        if (prices.isDeclared()) {
            header.addAll(List.of(ESTIMATED_COST, CURRENCY));
        }
        lines.add(header);
        for (Series one : shown) {
            one.points().forEach((at, usage) -> {
                List<String> line = new ArrayList<>(List.of(one.subject(), at(at)));
                for (UsageCounter counter : UsageCounter.values()) {
                    line.add(Long.toString(usage.total().get(counter)));
                }
                if (prices.isDeclared()) {
                    line.addAll(List.of(prices.cost(usage).toPlainString(), prices.currency()));
                }
                lines.add(line);
            });
        }
        return CsvResponse.of(lines);
    }
}
