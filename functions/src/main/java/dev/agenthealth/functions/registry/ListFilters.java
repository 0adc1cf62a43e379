package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.registry.profile.AgentKind;
import java.util.Set;

/**
 * The filters of a listing that no index supports, such as verdict and health status. An agent must pass all filters.
 *
 * @param kinds allowed kinds; empty for all
 * @param healthStatuses allowed health statuses; empty for all
 * @param verdicts allowed verdicts; empty for all
 * @param flags allowed states of agents that are either so or not
 * @param changed whether only agents with a changed, not yet accepted declaration pass
 */
public record ListFilters(
        Set<AgentKind> kinds, Set<HealthStatus> healthStatuses, Set<Verdict> verdicts, Flags flags, boolean changed) {

    /**
     * Filters by states of agents that are either so or not. Each is empty for all agents.
     *
     * @param blocked whether agents must be blocked or not
     * @param stalled whether agents must be stalled or not
     * @param waiting whether agents must wait for a person or not
     * @param looping whether agents must be looping or not
     */
    public record Flags(Set<Boolean> blocked, Set<Boolean> stalled, Set<Boolean> waiting, Set<Boolean> looping) {

        /** Lets all agents pass. */
        public static final Flags NONE = new Flags(Set.of(), Set.of(), Set.of(), Set.of());

        private boolean pass(Facts facts) {
            return (blocked.isEmpty() || blocked.contains(facts.isBlocked()))
                    && (stalled.isEmpty() || stalled.contains(facts.isStalled()))
                    && (waiting.isEmpty() || waiting.contains(facts.isWaiting()))
                    && (looping.isEmpty() || looping.contains(facts.isLooping()));
        }
    }

    /** Returns the filters of a query. Records an error for each bad value. */
    static ListFilters of(Fields query) {
        return new ListFilters(
                query.anyOf("kind", AgentKind.class),
                query.anyOf("health_status", HealthStatus.class),
                query.anyOf("verdict", Verdict.class),
                new Flags(
                        flag(query, "blocked"), flag(query, "stalled"), flag(query, "waiting"), flag(query, "looping")),
                query.oneOf("declaration", "changed").isPresent());
    }

    private static Set<Boolean> flag(Fields query, String parameter) {
        return query.oneOf(parameter, "true", "false")
                .map(Boolean::valueOf)
                .map(Set::of)
                .orElse(Set.of());
    }

    boolean pass(ListedAgent agent, Facts facts) {
        return (kinds.isEmpty() || kinds.contains(agent.profile().kind()))
                && (!changed || agent.pulse().declarationChanged())
                && (healthStatuses.isEmpty() || healthStatuses.contains(facts.healthStatus()))
                && (verdicts.isEmpty() || verdicts.contains(facts.verdict()))
                && flags.pass(facts);
    }
}
