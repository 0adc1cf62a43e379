package dev.agenthealth.model.registry.upstream;

import java.time.Instant;

/**
 * The last calls of providers by one agent, with the owner of the agent.
 *
 * @param owner the number of the owner's key, as in {@link dev.agenthealth.model.identity.GroupNumber}
 */
public record UpstreamUse(String agentId, long owner, UpstreamCalls calls) {

    /** Returns whether the agent called a provider lately. */
    boolean uses(String provider, Instant now) {
        return calls.entries().stream()
                .anyMatch(entry ->
                        entry.provider().equals(provider) && !entry.at().isBefore(now.minus(UpstreamRule.USE)));
    }

    /** Returns whether the agent's last call of a provider failed, at a moment or later. */
    boolean isFailing(String provider, Instant since) {
        return calls.entries().stream()
                .anyMatch(entry -> entry.provider().equals(provider)
                        && entry.isFailing()
                        && !entry.at().isBefore(since));
    }
}
