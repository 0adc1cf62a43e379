package dev.agenthealth.model.operations.silence;

import dev.agenthealth.model.schedule.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The times at which a silence is active. Immutable and thread-safe. */
public sealed interface SilencePeriod {

    /** The maximum length of a silence that does not recur. */
    Duration MAX_ONCE = Duration.ofDays(30);

    /** The maximum time until a silence begins. */
    Duration MAX_AHEAD = Duration.ofDays(366);

    /** The maximum time, from now on, for which the owner of an agent may silence it. */
    Duration MAX_OF_OWNER = Duration.ofHours(4);

    Duration MIN_RECURRING = Duration.ofMinutes(1);

    /** The minimum time between the end of a recurring silence and its next beginning. Events that wait for the end are reported in this time. */
    Duration MIN_GAP = Duration.ofMinutes(2);

    /** The maximum length of a recurring silence. */
    Duration MAX_RECURRING = Duration.ofDays(7);

    /** Returns the end of the activity that includes this moment; empty outside of any. The end itself is not silent. */
    Optional<Instant> activeUntil(Instant now);

    /** Returns the end for good; empty if the silence recurs. */
    Optional<Instant> over();

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
