package dev.agenthealth.model.health.availability;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The time in which the registry observed the fleet. Immutable.
 *
 * @param observed periods in the order of time, which neither overlap nor touch
 */
public record Coverage(List<Period> observed) {

    /** The maximum expected time between the counts of two neighbouring minutes. */
    public static final Duration MAX_DELAY = Duration.ofMinutes(2);

    /** A coverage of all time. */
    public static final Coverage ALL = new Coverage(List.of(new Period(Instant.MIN, Instant.MAX)));

    private static final long SECONDS_PER_MINUTE = 60;

    public Coverage {
        observed = List.copyOf(observed);
    }

    /** A period of time. */
    public record Period(Instant from, Instant to) {}

    /**
     * Returns the coverage by these minutes of UTC, in any order.
     *
     * @param minutes the numbers of the minutes since 1970
     * @param now the present; if the last minute is recent, the minutes after it do not count as missing yet
     */
    public static Coverage ofMinutes(Collection<Long> minutes, Instant now) {
        List<Period> observed = new ArrayList<>();
        Instant from = Instant.MIN;
        Instant to = Instant.MIN;
        for (long minute : new TreeSet<>(minutes)) {
            Instant begin = Instant.ofEpochSecond(minute * SECONDS_PER_MINUTE);
            if (!begin.equals(to)) {
                add(observed, from, to);
                from = begin;
            }
            to = begin.plusSeconds(SECONDS_PER_MINUTE);
        }
        add(observed, from, now.isAfter(to) && !now.isAfter(to.plus(MAX_DELAY)) ? now : to);
        return new Coverage(observed);
    }

    /** Returns the coverage by these periods, in any order. Periods that overlap or touch are joined. */
    public static Coverage ofPeriods(Collection<Period> periods) {
        List<Period> joined = new ArrayList<>();
        periods.stream().sorted(Comparator.comparing(Period::from)).forEach(period -> {
            int last = joined.size() - 1;
            if (last >= 0 && !period.from().isAfter(joined.get(last).to())) {
                joined.set(
                        last,
                        new Period(
                                joined.get(last).from(),
                                Timeline.later(joined.get(last).to(), period.to())));
            } else {
                joined.add(period);
            }
        });
        return new Coverage(joined);
    }

    private static void add(List<Period> observed, Instant from, Instant to) {
        if (from.isAfter(Instant.MIN)) {
            observed.add(new Period(from, to));
        }
    }

    /** Returns the parts of the observed periods between two moments. */
    List<Period> within(Instant from, Instant to) {
        return observed.stream()
                .filter(period -> period.from().isBefore(to) && period.to().isAfter(from))
                .map(period -> new Period(Timeline.later(period.from(), from), Timeline.earlier(period.to(), to)))
                .toList();
    }
}
