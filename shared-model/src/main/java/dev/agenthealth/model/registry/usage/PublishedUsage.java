package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

/**
 * The worst level of usage that was published about an agent and is not over.
 *
 * @param level the level; {@link UsageLevel#NONE} if the usage is within all limits
 * @param limit the limit that is nearly or wholly used up
 * @param until the moment at which enough usage has left the window, if no more is reported
 * @param action the action that the registry took because the limit is used up; {@link OnExceeded#NONE} below that level
 */
public record PublishedUsage(UsageLevel level, UsageLimit limit, Instant until, OnExceeded action) {

    /** The value of an agent within its limits. */
    public static final PublishedUsage NONE =
            new PublishedUsage(UsageLevel.NONE, UsageLimit.TOKENS_PER_HOUR, Instant.EPOCH, OnExceeded.NONE);

    /** The maximum time for which a level holds without a new report: the longest window and one hour of rounding. */
    public static final Duration MAX_PERIOD = Duration.ofHours(25);

    /** Returns whether a level was published whose end is not published yet. */
    public boolean isOpen() {
        return level != UsageLevel.NONE;
    }

    /** Returns the level at a moment; {@link UsageLevel#NONE} after its window has passed. */
    public UsageLevel levelAt(Instant now) {
        return ClockRule.holds(until, MAX_PERIOD, now) ? level : UsageLevel.NONE;
    }

    /** Returns whether a used up limit asks the agent to drain or to restart at a moment. */
    public boolean commandsAt(Instant now) {
        return levelAt(now) == UsageLevel.EXCEEDED && action.isCommand();
    }
}
