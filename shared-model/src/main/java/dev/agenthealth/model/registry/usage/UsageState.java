package dev.agenthealth.model.registry.usage;

import java.time.Instant;
import java.util.Comparator;

/**
 * The use of a limit.
 *
 * @param level the level
 * @param limit the limit
 * @param used the tokens, calls or executions
 * @param maximum the limit as a number; 0 if no limit is declared
 * @param until the end of the level if nothing more is used
 */
public record UsageState(UsageLevel level, UsageLimit limit, long used, long maximum, Instant until) {

    /** The state of an agent within its limits. */
    public static final UsageState NONE =
            new UsageState(UsageLevel.NONE, UsageLimit.TOKENS_PER_HOUR, 0, 0, Instant.EPOCH);

    /** The order by severity. Of two states with one level, the state with the later end is worse. */
    static final Comparator<UsageState> BY_SEVERITY =
            Comparator.comparing(UsageState::level).thenComparing(UsageState::until);

    /** Returns this state after its level ended early. */
    public UsageState ended() {
        return new UsageState(UsageLevel.NONE, limit, used, maximum, until);
    }

    /** Returns the state as it is published, with the action that follows if the limit is used up. */
    public PublishedUsage published(OnExceeded action) {
        return level == UsageLevel.NONE
                ? PublishedUsage.NONE
                : new PublishedUsage(level, limit, until, level == UsageLevel.EXCEEDED ? action : OnExceeded.NONE);
    }
}
