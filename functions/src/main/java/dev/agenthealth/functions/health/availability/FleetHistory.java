package dev.agenthealth.functions.health.availability;

import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.model.health.availability.Coverage;
import dev.agenthealth.model.health.availability.FleetHour;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.health.availability.GroupPiece;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The counts of the fleet over a period: sums of hours, then counts of minutes from hours that have no sum yet.
 *
 * @param hours the sums of hours, in ascending order
 * @param minutes the counts of minutes, in ascending order, later than all hours
 */
record FleetHistory(List<FleetHour> hours, List<FleetMinute> minutes) {

    private static final int MINUTES_PER_HOUR = 60;
    private static final long SECONDS_PER_MINUTE = 60;
    private static final long SECONDS_PER_HOUR = MINUTES_PER_HOUR * SECONDS_PER_MINUTE;

    /** Reads the counts from the hour of {@code from} on: sums of hours, then counts of minutes from hours that have no sum yet. */
    static FleetHistory read(FleetHistoryStore store, Instant from, Instant to) {
        List<FleetHour> hours = store.hours(FleetHour.at(from), FleetHour.at(to));
        long next = hours.isEmpty()
                ? FleetHour.at(from)
                : hours.get(hours.size() - 1).hour() + 1;
        return new FleetHistory(hours, minutes(store, next * MINUTES_PER_HOUR, to));
    }

    /**
     * Returns the counts by hour, in ascending order. If an hour has no stored sum yet, the counts of its minutes are summed up.
     *
     * @param last the last hour, included
     */
    static List<FleetHour> hours(FleetHistoryStore store, Instant from, Instant last) {
        // The first count of the next hour may count for the last minute of this hour.
        FleetHistory read = read(store, from, Instant.ofEpochSecond((FleetHour.at(last) + 1) * SECONDS_PER_HOUR - 1));
        Map<Long, List<FleetMinute>> running = new TreeMap<>();
        read.minutes().forEach(count -> count.minutes()
                .forEach(minute -> running.computeIfAbsent(minute / MINUTES_PER_HOUR, hour -> new ArrayList<>())
                        .add(count)));
        long addedUp = read.hours().isEmpty()
                ? Long.MIN_VALUE
                : read.hours().get(read.hours().size() - 1).hour();
        return Stream.concat(
                        read.hours().stream(),
                        running.entrySet().stream()
                                .filter(hour -> hour.getKey() > addedUp && hour.getKey() <= FleetHour.at(last))
                                .map(hour -> FleetHour.of(hour.getKey(), hour.getValue())))
                .filter(hour -> hour.hour() >= FleetHour.at(from))
                .toList();
    }

    /** Reads the counts by minute. */
    static FleetHistory minutes(FleetHistoryStore store, Instant from, Instant to) {
        return new FleetHistory(List.of(), minutes(store, FleetMinute.at(from), to));
    }

    /** Reads the counts of minutes. The first count after the last minute may count for that minute too. */
    private static List<FleetMinute> minutes(FleetHistoryStore store, long first, Instant to) {
        long last = FleetMinute.at(to) + 1;
        return first > last ? List.of() : store.minutes(first, last);
    }

    /** Returns the time in which the registry observed the fleet. */
    Coverage coverage(Instant now) {
        List<Long> observed = new ArrayList<>();
        hours.forEach(hour -> observed.addAll(hour.counted()));
        minutes.forEach(count -> observed.addAll(count.minutes()));
        return Coverage.ofMinutes(observed, now);
    }

    /** Returns the counts of a group, in ascending order. */
    List<GroupPiece> pieces(long group) {
        List<GroupPiece> pieces = new ArrayList<>();
        Instant addedUp = Instant.MIN;
        for (FleetHour hour : hours) {
            addedUp = hour.start().plusSeconds(MINUTES_PER_HOUR * SECONDS_PER_MINUTE);
            pieces.add(hour.piece(group));
        }
        for (Map.Entry<Long, FleetMinute> minute : FleetMinute.byMinute(minutes).entrySet()) {
            Instant start = Instant.ofEpochSecond(minute.getKey() * SECONDS_PER_MINUTE);
            // The first count after an hour may count for the last minute of that hour too, which the sum of the hour
            // contains already.
            if (!start.isBefore(addedUp)) {
                pieces.add(minute.getValue().piece(group, start));
            }
        }
        return pieces;
    }
}
