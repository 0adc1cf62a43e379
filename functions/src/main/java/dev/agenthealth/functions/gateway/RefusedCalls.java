package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;

/** The problem documents of calls that are refused before they are made. */
final class RefusedCalls {

    private RefusedCalls() {}

    /** Returns the problem of a call that is refused before it is made. It names the stop, the rule or the limit, but no words about a block. */
    static ApiError of(CallFailedException refusal, String agentId) {
        ApiError problem = InvocationErrors.of(refusal.reason(), agentId);
        if (!refusal.note().isEmpty()) {
            return problem.with("stop_reason", refusal.note());
        }
        return refusal.blocked().map(blocked -> blocked(blocked, problem)).orElse(problem);
    }

    private static ApiError blocked(CallFailedException.Blocked blocked, ApiError problem) {
        Block block = blocked.block();
        if (block.containment().isByRule()) {
            String rule = block.containment().rule();
            return problem.explained("The containment rule " + rule + " blocked the agent.")
                    .with("containment_rule", rule);
        }
        return block.limit()
                .map(limit -> problem.explained("The agent is blocked until " + Timestamps.text(block.until()) + ": "
                                + limit.sentence() + " is used up.")
                        .with("usage_limit", limit.limit().wireName())
                        .with("limit_scope", limit.scope())
                        .with("resets_at", Timestamps.text(block.until()))
                        .retryAfter(block.remaining(blocked.at())))
                .orElse(problem);
    }
}
