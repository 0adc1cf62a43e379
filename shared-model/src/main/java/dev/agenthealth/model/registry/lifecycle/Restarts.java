package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last repeated registrations of an agent. Many of them in a short time indicate a process that crashes again and again.
 *
 * @param moments the times of the registrations, oldest first, at most {@link #MAX_KEPT}
 */
public record Restarts(List<Instant> moments) {

    /** The time over which restarts are counted. */
    public static final Duration PERIOD = Duration.ofHours(1);

    /** The maximum number of restarts that are counted. */
    public static final int MAX_KEPT = 10;

    /** The minimum number of restarts within {@link #PERIOD} that degrades an agent. */
    public static final int DEGRADED_FROM = 3;

    /** The restarts of an agent that never registered again. */
    public static final Restarts NONE = new Restarts(List.of());

    public Restarts {
        moments = List.copyOf(moments);
    }

    /** Adds a restart, and removes restarts that are too old to count. */
    public Restarts and(Instant moment) {
        List<Instant> counted = Stream.concat(
                        moments.stream().filter(known -> isWithinPeriod(known, moment)), Stream.of(moment))
                .toList();
        return new Restarts(counted.subList(Math.max(0, counted.size() - MAX_KEPT), counted.size()));
    }

    /** Returns the number of restarts within {@link #PERIOD} before now, at most {@link #MAX_KEPT}. */
    public int countAt(Instant now) {
        return (int)
                moments.stream().filter(moment -> isWithinPeriod(moment, now)).count();
    }

    /** Returns the moment until which restarts alone degrade the agent, exclusive; {@link Instant#EPOCH} if there are too few restarts. */
    public Instant degradeUntil() {
        if (moments.size() < DEGRADED_FROM) {
            return Instant.EPOCH;
        }
        return moments.stream()
                .sorted(Comparator.reverseOrder())
                .skip(DEGRADED_FROM - 1)
                .findFirst()
                .map(moment -> moment.plus(PERIOD))
                .orElse(Instant.EPOCH);
    }

    private static boolean isWithinPeriod(Instant moment, Instant now) {
        return ClockRule.holds(moment.plus(PERIOD), PERIOD, now);
    }
}
