package dev.agenthealth.model.registry.usage;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;

/**
 * The usage of an agent within one hour (UTC), by source.
 *
 * @param bySource the usage that each source reported
 * @param peaks the largest use of a limit by a single execution, as far as it came near the limit
 */
public record HourUsage(Map<UsageSource, Usage> bySource, Map<UsageLimit, Long> peaks) {

    public static final HourUsage NONE = new HourUsage(Map.of());

    /** The length of an hour in seconds. */
    public static final long SECONDS = 3_600;

    private static final Comparator<Usage> BY_TOKENS = Comparator.<Usage>comparingLong(usage -> usage.tokens(true))
            .thenComparingLong(usage -> usage.total().get(UsageCounter.EXECUTIONS))
            .thenComparingLong(usage ->
                    usage.total().get(UsageCounter.MODEL_CALLS) + usage.total().get(UsageCounter.TOOL_CALLS));

    public HourUsage {
        bySource = Map.copyOf(bySource);
        peaks = Map.copyOf(peaks);
    }

    /** Creates the usage without executions that came near a limit. */
    public HourUsage(Map<UsageSource, Usage> bySource) {
        this(bySource, Map.of());
    }

    /** Returns this usage with the peaks of a single execution. */
    public HourUsage with(Map<UsageLimit, Long> ofExecution) {
        return plus(new HourUsage(Map.of(), ofExecution));
    }

    /** Returns the usage of one source. */
    public static HourUsage of(UsageSource source, Usage usage) {
        return new HourUsage(Map.of(source, usage));
    }

    /** Returns the number of the hour of a moment. */
    public static long at(Instant moment) {
        return Math.floorDiv(moment.getEpochSecond(), SECONDS);
    }

    /** Returns the beginning of an hour. */
    public static Instant start(long hour) {
        return Instant.ofEpochSecond(hour * SECONDS);
    }

    /** Returns the sum of two usages. */
    public HourUsage plus(HourUsage other) {
        Map<UsageSource, Usage> sums = new EnumMap<>(UsageSource.class);
        sums.putAll(bySource);
        other.bySource.forEach((source, usage) -> sums.merge(source, usage, Usage::plus));
        Map<UsageLimit, Long> largest = new EnumMap<>(UsageLimit.class);
        largest.putAll(peaks);
        other.peaks.forEach((limit, used) -> largest.merge(limit, used, Math::max));
        return new HourUsage(sums, largest);
    }

    /** Returns the usage that counts: the usage of the source with the most tokens. So an execution that several sources report counts once. */
    public Usage counted() {
        return bySource.values().stream().max(BY_TOKENS).orElse(Usage.NONE);
    }

    /** Returns whether nothing was used, and no execution came near a limit. */
    public boolean isNone() {
        return peaks.isEmpty() && bySource.values().stream().allMatch(Usage::isNone);
    }
}
