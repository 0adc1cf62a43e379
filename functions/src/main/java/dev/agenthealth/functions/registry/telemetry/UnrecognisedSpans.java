package dev.agenthealth.functions.registry.telemetry;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.telemetry.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Creates a hint about batches without an execution of an agent. Without the hint, a sender with unknown instrumentation would get the same
 * answer as any other sender. Thread-safe.
 *
 * <p>Each service of a key gets the hint at most once in {@link #PAUSE}, because a batch often has only parts of a longer execution.
 */
final class UnrecognisedSpans {

    static final Duration PAUSE = Duration.ofMinutes(5);
    static final int MAX_NAMED = 3;

    private static final int MAX_SERVICES = 10_000;

    private final Map<String, Instant> said = new LinkedHashMap<>();

    /** Returns the hint about a batch without an execution; empty if all its services got the hint recently, or the batch has no spans. */
    Optional<String> hint(Caller caller, List<Span> spans, Instant now) {
        List<String> services = new TreeSet<>(spans.stream().map(Span::service).toList())
                .stream()
                        .filter(service -> isDue(caller.keyId() + " " + service, now))
                        .toList();
        if (services.isEmpty()) {
            return Optional.empty();
        }
        String named = services.stream()
                .limit(MAX_NAMED)
                .map(service -> "'" + Rejections.shown(service) + "'")
                .collect(Collectors.joining(", "));
        return Optional.of(
                "no span of service " + named + (services.size() > MAX_NAMED ? " and others" : "")
                        + " in this batch means an execution of an agent; if that is so of every batch, the instrumentation is not one that is known");
    }

    private synchronized boolean isDue(String service, Instant now) {
        Instant before = said.get(service);
        if (before != null && !ClockRule.hasPassed(before, PAUSE, now)) {
            return false;
        }
        said.remove(service);
        if (said.size() >= MAX_SERVICES) {
            said.remove(said.keySet().iterator().next());
        }
        said.put(service, now);
        return true;
    }
}
