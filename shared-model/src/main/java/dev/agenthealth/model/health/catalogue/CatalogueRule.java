package dev.agenthealth.model.health.catalogue;

import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.Optional;

/** Decides which agents the catalogue lists. */
public final class CatalogueRule {

    private CatalogueRule() {}

    /**
     * Returns whether the catalogue lists an agent that asked for it now. The agent must take new work. It must have sent a heartbeat, or enough of
     * its executions must be known. Neither failures nor a block may speak against a call.
     */
    public static boolean shows(Facts facts) {
        Verdict verdict = facts.verdict();
        return facts.lifecycle() == LifecycleStatus.ACTIVE && (verdict == Verdict.OK || verdict == Verdict.DEGRADED);
    }

    /** Returns the reason for which the catalogue cannot list an agent, in words for its owner; empty if it can. */
    public static Optional<String> objection(AgentProfile profile) {
        if (!profile.description().inCatalogue()) {
            return Optional.empty();
        }
        if (profile.agentInterface().endpoint().isEmpty()) {
            return Optional.of("needs an endpoint, without which it cannot be called");
        }
        if (profile.description().personal()) {
            return Optional.of("must not be true for a personal agent");
        }
        return CatalogueUrn.mayName(profile.agentId())
                ? Optional.empty()
                : Optional.of("needs an agent_id without empty parts between colons");
    }
}
