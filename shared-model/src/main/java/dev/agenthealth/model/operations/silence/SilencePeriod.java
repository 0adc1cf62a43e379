package dev.agenthealth.model.operations.silence;

import dev.agenthealth.model.schedule.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The times at which a silence is active. Immutable and thread-safe. */
public sealed interface SilencePeriod {

    /** The maximum length of a silence that does not recur. */
    Duration MAX_ONCE = Duration.ofDays(30);

    /** The maximum time until a silence begins. */
    Duration MAX_AHEAD = Duration.ofDays(366);

    /** The maximum time, from now on, for which the owner of an agent may silence it. */
    Duration MAX_OF_OWNER = Duration.ofHours(4);

    /** The maximum number of activities that {@link #between} returns. */
    int MAX_ACTIVITIES = 1_000;

    Duration MIN_RECURRING = Duration.ofMinutes(1);

    /** The minimum time between the end of a recurring silence and its next beginning. Events that wait for the end are reported in this time. */
    Duration MIN_GAP = Duration.ofMinutes(2);

    /** The maximum length of a recurring silence. */
    Duration MAX_RECURRING = Duration.ofDays(7);

    /** Returns the end of the activity that includes this moment; empty outside of any. The end itself is not silent. */
    Optional<Instant> activeUntil(Instant now);

    /** Returns the end for good; empty if the silence recurs. */
    Optional<Instant> over();

    /** Returns the activities that begin or last between two moments, at most {@value #MAX_ACTIVITIES}, in the order of time. */
    default List<Activity> between(Instant from, Instant to) {
        List<Activity> activities = new ArrayList<>();
        Optional<Activity> next = activity(from);
        while (next.isPresent() && next.get().from().isBefore(to) && activities.size() < MAX_ACTIVITIES) {
            activities.add(next.get());
            next = activity(next.get().to());
        }
        return activities;
    }

    /** Returns the next activities that begin after a moment, in the order of time. */
    default List<Activity> next(Instant now, int most) {
        List<Activity> activities = new ArrayList<>();
        Optional<Activity> next = activity(now);
        while (next.isPresent() && activities.size() < most) {
            if (next.get().from().isAfter(now)) {
                activities.add(next.get());
            }
            next = activity(next.get().to());
        }
        return activities;
    }

    /** Returns the first activity that ends after a moment; empty if there is none. */
    Optional<Activity> activity(Instant after);

    /** An activity of a silence, from its beginning to its end. */
    record Activity(Instant from, Instant to) {}

    /**
     * A single period.
     *
     * @param startsAt the beginning
     * @param endsAt the end, later than {@code startsAt}
     */
    record Once(Instant startsAt, Instant endsAt) implements SilencePeriod {

        @Override
        public Optional<Instant> activeUntil(Instant now) {
            return now.isBefore(startsAt) || !now.isBefore(endsAt) ? Optional.empty() : Optional.of(endsAt);
        }

        @Override
        public Optional<Instant> over() {
            return Optional.of(endsAt);
        }

        @Override
        public Optional<Activity> activity(Instant after) {
            return endsAt.isAfter(after) ? Optional.of(new Activity(startsAt, endsAt)) : Optional.empty();
        }
    }

    /**
     * A recurring period. The clock decides when it begins, and elapsed time when it ends. So its length stays the same when clocks change.
     *
     * @param starts the beginnings
     * @param duration the length of each occurrence
     */
    record Recurring(CronSchedule starts, Duration duration) implements SilencePeriod {

        /** The number of beginnings that are compared with the previous end. Few expressions have a longer pattern. */
        private static final int COMPARED = 50;

        @Override
        public Optional<Instant> activeUntil(Instant now) {
            Instant start = starts.nextAfter(now.minus(duration));
            if (start.isAfter(now)) {
                return Optional.empty();
            }
            // A second beginning before the end prolongs the period, for example if clocks are set back.
            Instant last = start;
            for (int i = 0; i < COMPARED; i++) {
                Instant next = starts.nextAfter(last);
                if (next.isAfter(last.plus(duration))) {
                    break;
                }
                last = next;
            }
            return Optional.of(last.plus(duration));
        }

        @Override
        public Optional<Instant> over() {
            return Optional.empty();
        }

        @Override
        public Optional<Activity> activity(Instant after) {
            Instant start = starts.nextAfter(after.minus(duration));
            return start.isBefore(Instant.MAX)
                    ? Optional.of(new Activity(start, activeUntil(start).orElse(start.plus(duration))))
                    : Optional.empty();
        }

        /**
         * Returns whether the next occurrence may begin less than {@link #MIN_GAP} after an end, so that the silence might never end. It compares
         * the next {@value #COMPARED} occurrences.
         */
        public boolean overlapsItself(Instant now) {
            Instant start = starts.nextAfter(now);
            for (int i = 0; i < COMPARED && start.isBefore(Instant.MAX); i++) {
                Instant next = starts.nextAfter(start);
                if (next.isBefore(start.plus(duration).plus(MIN_GAP))) {
                    return true;
                }
                start = next;
            }
            return false;
        }
    }
}
