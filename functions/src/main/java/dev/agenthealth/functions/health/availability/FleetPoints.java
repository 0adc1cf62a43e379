package dev.agenthealth.functions.health.availability;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Period;
import dev.agenthealth.functions.runtime.json.Decimals;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.availability.FleetHour;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** The past counts of the fleet. Thread-safe. */
final class FleetPoints {

    private static final Duration MAX_BY_MINUTE = Duration.ofHours(24);
    private static final Duration MAX_BY_HOUR = Duration.ofDays(90);
    private static final int DECIMALS = 2;

    private final FleetHistoryStore history;
    private final Clock clock;

    FleetPoints(Database database, Clock clock) {
        this.history = new FleetHistoryStore(database);
        this.clock = clock;
    }

    private enum Resolution implements WireNamed {
        MINUTE,
        HOUR
    }

    /**
     * {@code GET /api/v1/health/history}: the counts by minute or hour, the oldest first. A minute has no point if the registry was off or
     * its self-check failed.
     *
     * @throws ApiError 400 for an empty or too long period
     */
    ApiResponse answer(ApiRequest request) {
        Fields query = request.queryFields();
        Period period = Period.of(query, clock.instant(), MAX_BY_HOUR);
        boolean isLong = period.length().compareTo(MAX_BY_MINUTE) > 0;
        Resolution resolution =
                query.oneOf("resolution", Resolution.class).orElse(isLong ? Resolution.HOUR : Resolution.MINUTE);
        if (isLong && resolution == Resolution.MINUTE) {
            query.refuse("resolution", "must be hour for a period of more than 24 hours");
        }
        query.check();
        ObjectNode json = Json.object();
        json.put("resolution", resolution.wireName());
        ArrayNode points = json.putArray("points");
        Instant from = period.from();
        Instant to = period.to();
        if (!from.isBefore(to)) {
            return ApiResponse.json(200, json);
        }
        if (resolution == Resolution.HOUR) {
            FleetHistory.hours(history, from, to).forEach(hour -> points.add(json(hour)));
        } else {
            FleetMinute.byMinute(history.minutes(FleetMinute.at(from), FleetMinute.at(to) + 1))
                    .forEach((minute, count) -> {
                        if (minute <= FleetMinute.at(to) && minute >= FleetMinute.at(from)) {
                            points.add(json(minute, count));
                        }
                    });
        }
        return ApiResponse.json(200, json);
    }

    private static ObjectNode json(long minute, FleetMinute count) {
        long down = count.fleet().get(Statistic.VERDICT_DOWN);
        return json(Instant.ofEpochSecond(minute * 60), 1, count.fleet(), down, down);
    }

    private static ObjectNode json(FleetHour hour) {
        return json(hour.start(), hour.minuteCount(), hour.sum(), hour.minDown(), hour.maxDown());
    }

    private static ObjectNode json(Instant at, long minutes, AgentStatistics sum, long minDown, long maxDown) {
        ObjectNode json = Json.object().put("at", Timestamps.text(at)).put("minutes", minutes);
        put(json, "agents", sum.agents(), minutes);
        json.put("min_down", minDown).put("max_down", maxDown);
        ObjectNode byVerdict = json.putObject("by_verdict");
        for (Verdict verdict : Verdict.COUNTED) {
            put(byVerdict, verdict.wireName(), sum.get(Statistic.of(verdict)), minutes);
        }
        ObjectNode byLifecycle = json.putObject("by_lifecycle_status");
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                put(byLifecycle, status.wireName(), sum.get(Statistic.of(status)), minutes);
            }
        }
        return json;
    }

    private static void put(ObjectNode json, String name, long sum, long minutes) {
        json.put(name, Decimals.rounded((double) sum / minutes, DECIMALS));
    }
}
