package dev.agenthealth.model.event;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.upstream.UpstreamFigures;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The events about model providers that fail for many agents at once. They name no agent. */
public final class UpstreamEvents {

    /** The name of calls without a known model in figures. */
    private static final String UNKNOWN_MODEL = "unknown";

    private UpstreamEvents() {}

    /** Returns the event that a provider fails for many agents. */
    public static Event failing(UpstreamProblem problem) {
        Instant now = problem.since();
        return detail(EventType.UPSTREAM_FAILING, problem)
                .with("agents", problem.counts().agents())
                .ofRegistry(id(EventType.UPSTREAM_FAILING, problem, now), now);
    }

    /** Returns the event that a provider no longer fails for many agents. The end is after the beginning. */
    public static Event recovered(UpstreamProblem problem, Instant now) {
        Instant at = now.isAfter(problem.since()) ? now : problem.since().plusMillis(1);
        return detail(EventType.UPSTREAM_RECOVERED, problem)
                .with("agents", problem.counts().most())
                .with("since", problem.since())
                .with("failing_seconds", Duration.between(problem.since(), at).toSeconds())
                .ofRegistry(id(EventType.UPSTREAM_RECOVERED, problem, at), at);
    }

    private static EventDetail detail(EventType type, UpstreamProblem problem) {
        UpstreamFigures figures = problem.counts().figures();
        return new EventDetail(type)
                .with("provider", problem.provider())
                .with("owners", problem.counts().owners())
                .with("users", problem.counts().users())
                .with("calls", figures.calls())
                .with(
                        "errors",
                        figures.errors().stream().map(WireNamed::wireName).toList())
                .with("models", figures.models())
                .with("figures", figures(figures));
    }

    /** Returns the numbers of agents and failing calls by model, and for each model by kind of failure. */
    private static Map<String, Object> figures(UpstreamFigures figures) {
        Map<String, Map<String, Object>> models = new LinkedHashMap<>();
        figures.parts().forEach(part -> models.computeIfAbsent(
                        part.model().isEmpty() ? UNKNOWN_MODEL : part.model(), model -> new LinkedHashMap<>())
                .put(part.error().wireName(), numbers(part)));
        return new LinkedHashMap<>(models);
    }

    private static Map<String, Object> numbers(UpstreamFigures.Part part) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        numbers.put("agents", part.agents());
        numbers.put("calls", part.calls());
        return numbers;
    }

    private static String id(EventType type, UpstreamProblem problem, Instant at) {
        return "registry:" + type.slug() + ":" + problem.provider() + ":" + at.toEpochMilli();
    }
}
