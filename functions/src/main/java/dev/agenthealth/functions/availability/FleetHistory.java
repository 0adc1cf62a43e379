package dev.agenthealth.functions.availability;

import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.model.availability.Coverage;
import dev.agenthealth.model.availability.FleetHour;
import dev.agenthealth.model.availability.FleetMinute;
import dev.agenthealth.model.availability.GroupPiece;
import dev.agenthealth.model.availability.GroupSum;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The counts of the fleet over a period: those of hours, and those of the minutes whose hour is not added up yet.
 *
 * @param hours in ascending order
 * @param minutes in ascending order, later than all hours
 */
record FleetHistory(List<FleetHour> hours, List<FleetMinute> minutes) {

    private static final int MINUTES_PER_HOUR = 60;
    private static final long SECONDS_PER_MINUTE = 60;

    /** Reads the counts from the hour of {@code from} on, by hour as far as hours are added up. */
    static FleetHistory read(FleetHistoryStore store, Instant from, Instant to) {
        List<FleetHour> hours = store.hours(FleetHour.at(from), FleetHour.at(to));
        long next = hours.isEmpty()
                ? FleetHour.at(from)
                : hours.get(hours.size() - 1).hour() + 1;
        return new FleetHistory(hours, minutes(store, next * MINUTES_PER_HOUR, to));
    }

    /** Reads the counts by minute. */
    static FleetHistory minutes(FleetHistoryStore store, Instant from, Instant to) {
        return new FleetHistory(List.of(), minutes(store, FleetMinute.at(from), to));
    }

    /** The first count after the last minute may stand for that minute too. */
    private static List<FleetMinute> minutes(FleetHistoryStore store, long first, Instant to) {
        return store.minutes(first, FleetMinute.at(to) + 1);
    }

    /** The time in which the registry observed the fleet. */
    Coverage coverage(Instant now) {
        List<Long> observed = new ArrayList<>();
        hours.forEach(hour -> observed.addAll(hour.counted()));
        minutes.forEach(count -> observed.addAll(count.minutes()));
        return Coverage.ofMinutes(observed, now);
    }

    /** The counts of a group, in ascending order. */
    List<GroupPiece> pieces(Function<FleetHour, GroupSum> ofHour, Function<FleetMinute, GroupSum> ofMinute) {
        List<GroupPiece> pieces = new ArrayList<>();
        Instant addedUp = Instant.MIN;
        for (FleetHour hour : hours) {
            addedUp = hour.start().plusSeconds(MINUTES_PER_HOUR * SECONDS_PER_MINUTE);
            pieces.add(new GroupPiece(hour.start(), addedUp, ofHour.apply(hour)));
        }
        for (Map.Entry<Long, FleetMinute> minute : FleetMinute.byMinute(minutes).entrySet()) {
            Instant start = Instant.ofEpochSecond(minute.getKey() * SECONDS_PER_MINUTE);
            // The first count after an hour may stand for its last minute too, which is in the hour already.
            if (!start.isBefore(addedUp)) {
                pieces.add(new GroupPiece(
                        start, start.plusSeconds(SECONDS_PER_MINUTE), ofMinute.apply(minute.getValue())));
            }
        }
        return pieces;
    }
}
