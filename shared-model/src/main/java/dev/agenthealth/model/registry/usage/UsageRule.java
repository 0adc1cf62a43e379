package dev.agenthealth.model.registry.usage;

import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/** Decides how much of its limits an agent, a role or an owner has used. */
public final class UsageRule {

    private static final long HOURS_PER_DAY = 24;

    private UsageRule() {}

    /** Returns the first hour whose usage counts now: the beginning of the day, or the hour before. */
    public static long firstHour(Instant now) {
        long hour = HourUsage.at(now);
        return Math.min(startOfDay(hour), hour - 1);
    }

    private static long startOfDay(long hour) {
        return Math.floorDiv(hour, HOURS_PER_DAY) * HOURS_PER_DAY;
    }

    /** Returns the worst use of a limit now, by the usage of each hour. */
    public static UsageState state(UsageLimits limits, SortedMap<Long, HourUsage> hours, Instant now) {
        return Stream.of(UsageLimit.values())
                .filter(limit -> limits.get(limit).isPresent())
                .map(limit -> state(limit, limits, hours, HourUsage.at(now)))
                .filter(state -> state.level() != UsageLevel.NONE)
                .max(UsageState.BY_SEVERITY)
                .orElse(UsageState.NONE);
    }

    /**
     * Returns the worst use of a limit that several agents share. Limits of a single execution are not shared.
     *
     * @param ofHour the usage of all these agents in this hour
     * @param ofDay their usage on this day
     */
    public static UsageState shared(UsageLimits limits, Usage ofHour, Usage ofDay, Instant now) {
        long hour = HourUsage.at(now);
        boolean cached = limits.countCached();
        return Stream.of(
                        state(UsageLimit.TOKENS_PER_HOUR, limits, ofHour.tokens(cached), hour + 1),
                        state(
                                UsageLimit.TOKENS_PER_DAY,
                                limits,
                                ofDay.tokens(cached),
                                startOfDay(hour) + HOURS_PER_DAY),
                        state(
                                UsageLimit.EXECUTIONS_PER_HOUR,
                                limits,
                                ofHour.total().get(UsageCounter.EXECUTIONS),
                                hour + 1))
                .filter(state -> state.level() != UsageLevel.NONE)
                .max(UsageState.BY_SEVERITY)
                .orElse(UsageState.NONE);
    }

    private static UsageState state(UsageLimit limit, UsageLimits limits, SortedMap<Long, HourUsage> hours, long now) {
        boolean cached = limits.countCached();
        HourUsage hour = hours.getOrDefault(now, HourUsage.NONE);
        return switch (limit) {
            case TOKENS_PER_HOUR -> state(limit, limits, hour.counted().tokens(cached), now + 1);
            case TOKENS_PER_DAY ->
                state(
                        limit,
                        limits,
                        hours.tailMap(startOfDay(now)).values().stream()
                                .mapToLong(each -> each.counted().tokens(cached))
                                .sum(),
                        startOfDay(now) + HOURS_PER_DAY);
            case EXECUTIONS_PER_HOUR ->
                state(limit, limits, hour.counted().total().get(UsageCounter.EXECUTIONS), now + 1);
            case TOKENS_PER_EXECUTION, MODEL_CALLS_PER_EXECUTION ->
                hours.tailMap(now - 1).entrySet().stream()
                        .map(each -> peak(limit, limits, each))
                        .max(UsageState.BY_SEVERITY)
                        .orElse(UsageState.NONE);
        };
    }

    private static UsageState peak(UsageLimit limit, UsageLimits limits, Map.Entry<Long, HourUsage> hour) {
        return state(limit, limits, hour.getValue().peaks().getOrDefault(limit, 0L), hour.getKey() + 2);
    }

    private static UsageState state(UsageLimit limit, UsageLimits limits, long used, long untilHour) {
        return new UsageState(
                limits.level(limit, used), limit, used, limits.get(limit).orElse(0L), HourUsage.start(untilHour));
    }
}
