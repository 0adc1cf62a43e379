package dev.agenthealth.client;

import java.time.Instant;
import java.util.Optional;

/**
 * Thrown on 403 {@code agent_blocked}: calls of the agent are refused. A limit, a rule or a person decided so. {@link #retryAfter} returns the time
 * until the limit is reset.
 */
public final class AgentBlockedException extends ForbiddenException {

    private static final long serialVersionUID = 1L;

    AgentBlockedException(Refusal refusal) {
        super(refusal);
    }

    /** Returns the limit that is used up, such as {@code tokens_per_hour}; empty if no limit blocked the agent. */
    public String usageLimit() {
        return Json.text(document(), "usage_limit");
    }

    /** Returns who shares the limit: {@code agent}, {@code role} or {@code owner}; empty if no limit blocked the agent. */
    public String limitScope() {
        return Json.text(document(), "limit_scope");
    }

    /** Returns the time at which the limit is reset; empty if no limit blocked the agent. */
    public Optional<Instant> resetsAt() {
        return Json.moment(document(), "resets_at");
    }

    /** Returns the name of the rule that contains the agent; empty if no rule blocked it. */
    public String containmentRule() {
        return Json.text(document(), "containment_rule");
    }
}
