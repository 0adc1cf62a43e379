package dev.agenthealth.model.registry.upstream;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The providers that fail for many agents at once.
 *
 * @param problems the problems, the oldest first
 */
public record Upstreams(List<UpstreamProblem> problems) {

    /** No provider fails. */
    public static final Upstreams NONE = new Upstreams(List.of());

    public Upstreams {
        problems = problems.stream()
                .sorted(Comparator.comparing(UpstreamProblem::since).thenComparing(UpstreamProblem::provider))
                .toList();
    }

    /** Returns the oldest problem that concerns an agent; empty if none does. */
    public Optional<UpstreamProblem> of(String agentId) {
        return problems.isEmpty()
                ? Optional.empty()
                : problems.stream().filter(problem -> problem.concerns(agentId)).findFirst();
    }

    /** Returns the problem of a provider; empty if the provider does not fail. */
    public Optional<UpstreamProblem> ofProvider(String provider) {
        return problems.stream()
                .filter(problem -> problem.provider().equals(provider))
                .findFirst();
    }
}
