package dev.agenthealth.model.registry.usage;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The limits that an agent declares, or that the agents of a role or an owner share.
 *
 * @param numbers the limits, each above 0
 * @param countCached whether input tokens from a cache count
 * @param onExceeded the action when a limit is used up
 */
public record UsageLimits(Map<UsageLimit, Long> numbers, boolean countCached, OnExceeded onExceeded) {

    /** No limits. */
    public static final UsageLimits NONE = new UsageLimits(Map.of(), false, OnExceeded.NONE);

    private static final long FIFTHS = 5;

    public UsageLimits {
        numbers = Map.copyOf(numbers);
    }

    /** Returns whether there is a limit. */
    public boolean isDeclared() {
        return !numbers.isEmpty();
    }

    /** Returns whether there is a limit for a single execution. */
    public boolean limitExecutions() {
        return numbers.keySet().stream().anyMatch(limit -> !limit.isShared());
    }

    /** Returns a limit; empty if it is not declared. */
    public Optional<Long> get(UsageLimit limit) {
        return Optional.ofNullable(numbers.get(limit));
    }

    /** Returns the level of a limit after this use; {@link UsageLevel#NONE} if it is not declared. */
    public UsageLevel level(UsageLimit limit, long used) {
        Long maximum = numbers.get(limit);
        if (maximum == null) {
            return UsageLevel.NONE;
        }
        if (used >= maximum) {
            return UsageLevel.EXCEEDED;
        }
        return used >= maximum - maximum / FIFTHS ? UsageLevel.WARNING : UsageLevel.NONE;
    }

    /** Returns the use of the limits for a single execution, as far as it is at least 80 % of a limit. */
    public Map<UsageLimit, Long> peaks(Usage execution) {
        Map<UsageLimit, Long> peaks = new EnumMap<>(UsageLimit.class);
        putPeak(peaks, UsageLimit.TOKENS_PER_EXECUTION, execution.tokens(countCached));
        putPeak(peaks, UsageLimit.MODEL_CALLS_PER_EXECUTION, execution.total().get(UsageCounter.MODEL_CALLS));
        return peaks;
    }

    private void putPeak(Map<UsageLimit, Long> peaks, UsageLimit limit, long used) {
        if (level(limit, used) != UsageLevel.NONE) {
            peaks.put(limit, used);
        }
    }
}
