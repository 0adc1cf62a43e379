package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The filters of a listing by what is known of each agent. An agent passes if all of them hold.
 *
 * @param healthStatuses agents with any of these health statuses; empty for all
 * @param verdicts agents with any of these verdicts; empty for all
 * @param blocked whether the agents are blocked; empty for all
 */
record ListFilters(Set<HealthStatus> healthStatuses, Set<Verdict> verdicts, Set<Boolean> blocked) {

    /** The filters of a query; each bad value is an error of its parameter. */
    static ListFilters of(Fields query) {
        return new ListFilters(
                words(query, "health_status", HealthStatus.class, HealthStatus::ofWireName, "a health status"),
                words(query, "verdict", Verdict.class, Verdict::ofWireName, "a verdict"),
                query.oneOf("blocked", new Boolean[] {true, false}, String::valueOf)
                        .map(Set::of)
                        .orElse(Set.of()));
    }

    boolean pass(Facts facts) {
        return (healthStatuses.isEmpty() || healthStatuses.contains(facts.healthStatus()))
                && (verdicts.isEmpty() || verdicts.contains(facts.verdict()))
                && (blocked.isEmpty() || blocked.contains(facts.isBlocked()));
    }

    private static <E extends Enum<E>> Set<E> words(
            Fields query, String parameter, Class<E> type, Function<String, Optional<E>> ofWireName, String what) {
        Set<E> found = EnumSet.noneOf(type);
        for (String word : query.words(parameter)) {
            ofWireName
                    .apply(word)
                    .ifPresentOrElse(found::add, () -> query.refuse(parameter, "'" + word + "' is not " + what));
        }
        return found;
    }
}
