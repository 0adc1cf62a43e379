package dev.agenthealth.functions.availability;

import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.model.availability.Coverage;
import dev.agenthealth.model.availability.FleetHour;
import dev.agenthealth.model.availability.FleetMinute;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts of the fleet over a period: those of hours, and those of the minutes whose hour is not added up yet.
 *
 * @param hours in ascending order
 * @param minutes in ascending order, later than all hours
 */
record FleetHistory(List<FleetHour> hours, List<FleetMinute> minutes) {

    private static final int MINUTES_PER_HOUR = 60;

    /** Reads the counts from the hour of {@code from} on. */
    static FleetHistory read(FleetHistoryStore store, Instant from, Instant to) {
        List<FleetHour> hours = store.hours(FleetHour.at(from), FleetHour.at(to));
        long next = hours.isEmpty()
                ? FleetHour.at(from)
                : hours.get(hours.size() - 1).hour() + 1;
        // The first count after the last minute may stand for that minute too.
        return new FleetHistory(hours, store.minutes(next * MINUTES_PER_HOUR, FleetMinute.at(to) + 1));
    }

    /** The time in which the registry observed the fleet. */
    Coverage coverage(Instant now) {
        List<Long> observed = new ArrayList<>();
        hours.forEach(hour -> observed.addAll(hour.counted()));
        minutes.forEach(count -> observed.addAll(count.minutes()));
        return Coverage.ofMinutes(observed, now);
    }
}
