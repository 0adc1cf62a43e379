package dev.agenthealth.model.operations.silence;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The times at which a silence is active. Immutable and thread-safe. */
public sealed interface SilencePeriod {

    /** The longest silence that does not recur. */
    Duration MAX_ONCE = Duration.ofDays(30);

    /** The longest time until a silence begins. */
    Duration MAX_AHEAD = Duration.ofDays(366);

    /** The longest that the owner of an agent may silence it, from now on. */
    Duration MAX_OF_OWNER = Duration.ofHours(4);

    Duration MIN_RECURRING = Duration.ofMinutes(1);

    /** Between the end of a recurring silence and its next beginning: so long that what waits for the end is reported. */
    Duration MIN_GAP = Duration.ofMinutes(2);

    /** The longest recurring silence. */
    Duration MAX_RECURRING = Duration.ofDays(7);

    /** Returns when the silence that is active at this moment ends; empty if none is. The end itself is not silent. */
    Optional<Instant> activeUntil(Instant now);

    /** Returns when it is over for good; empty if it recurs. */
    Optional<Instant> over();

    /**
     * Once.
     *
     * @param startsAt when it begins
     * @param endsAt when it ends, later than {@code startsAt}
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
     * Again and again. The clock decides when it begins and elapsed time when it ends: if clocks change, its last hour has another name and it is
     * as long as ever.
     *
     * @param starts when it begins
     * @param duration how long it lasts each time
     */
    record Recurring(StartTimes starts, Duration duration) implements SilencePeriod {

        /** The number of beginnings that are compared with the end before them: expressions with a longer pattern are rare. */
        private static final int COMPARED = 50;

        @Override
        public Optional<Instant> activeUntil(Instant now) {
            Instant start = starts.nextAfter(now.minus(duration));
            if (start.isAfter(now)) {
                return Optional.empty();
            }
            // A second beginning before the end prolongs it, such as if clocks are set back.
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

        /** Returns whether it begins anew less than {@link #MIN_GAP} after its end, so that it might never end; the next {@value #COMPARED} times are compared. */
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
