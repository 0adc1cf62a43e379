package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.ProblemId;
import java.time.Instant;

/**
 * The nearly or wholly used limit of a role or an owner, as it was last published. It is one problem, whatever the number of agents.
 *
 * @param holder the role or the owner
 * @param state the use of the limit at that time
 * @param since the beginning of the level, of its window or of its action
 * @param through the id of the last agent that the action of the limit reached; empty for none, {@link #ALL} for all agents
 * @param asking whether agents that register are asked to drain
 * @param lifting whether blocks of the agents are being lifted, because the limit was raised or removed, or has another action
 * @param action the action on the agents because the limit is used up; {@link OnExceeded#NONE} below that level
 */
public record SharedUsage(
        LimitHolder holder,
        UsageState state,
        Instant since,
        String through,
        boolean asking,
        boolean lifting,
        OnExceeded action) {

    /** The value after the action reached all agents. No id of an agent is greater. */
    public static final String ALL = "~";

    /** The beginning of the subject of the problem. */
    public static final String SUBJECT_PREFIX = "shared.usage:";

    /** Returns the id of the problem of a used up limit. */
    public String problemId() {
        return ProblemId.of(SUBJECT_PREFIX + holder.text());
    }

    /** Returns the use as it is compared with the present use. */
    PublishedUsage published() {
        return state.published(action);
    }

    /** Returns the level at a moment; {@link UsageLevel#NONE} after its window has passed. */
    public UsageLevel levelAt(Instant now) {
        return ClockRule.holds(state.until(), PublishedUsage.MAX_PERIOD, now) ? state.level() : UsageLevel.NONE;
    }

    /** Returns whether the limit is used up at a moment. */
    public boolean isExceeded(Instant now) {
        return levelAt(now) == UsageLevel.EXCEEDED;
    }

    /** Returns the reason of the blocks that the limit writes. */
    public LimitReason reason() {
        return LimitReason.shared(state.limit(), holder);
    }

    /** Returns this use after the action reached all agents up to this one. */
    public SharedUsage reached(String agentId) {
        return new SharedUsage(holder, state, since, agentId, asking, lifting, action);
    }

    /** Returns this use after its limit began or ceased to ask agents that register to drain. */
    public SharedUsage asking(boolean begins) {
        return new SharedUsage(holder, state, since, through, begins, lifting, action);
    }
}
