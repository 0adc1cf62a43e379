package dev.agenthealth.functions.operations.publisher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.silences.SilenceFinder;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.LoggedEvent;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilenceLabels;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Marks events during publication that a silence covers, for subscribers of the bus. Silences are cached for ten seconds. Thread-safe. */
public final class MaintenanceMark {

    private static final Duration CACHE_TIME = Duration.ofSeconds(10);

    private final SilenceFinder silences;
    private final Clock clock;
    private final Log log;
    private Optional<Cached> cached = Optional.empty();

    private record Cached(List<Silence> active, Instant until) {}

    public MaintenanceMark(Database database, Clock clock, Log log) {
        this.silences = new SilenceFinder(database);
        this.clock = clock;
        this.log = log;
    }

    /**
     * Returns these events in their order, with {@code in_maintenance} on covered events. If silences cannot be read, no event has the mark, so
     * that publishing continues.
     */
    public List<LoggedEvent> on(List<LoggedEvent> events) {
        try {
            Instant now = clock.instant();
            List<Silence> active = active(now);
            return active.isEmpty() ? events : marked(events, active, now);
        } catch (RuntimeException e) {
            log.failure("silences_not_read", "events", e);
            return events;
        }
    }

    private synchronized List<Silence> active(Instant now) {
        Cached read = cached.filter(one -> ClockRule.holds(one.until(), CACHE_TIME, now))
                .orElseGet(() -> new Cached(silences.active(now), now.plus(CACHE_TIME)));
        cached = Optional.of(read);
        return read.active().stream().filter(silence -> silence.isActive(now)).toList();
    }

    private List<LoggedEvent> marked(List<LoggedEvent> events, List<Silence> active, Instant now) {
        List<JsonNode> details =
                events.stream().map(event -> Json.stored(event.detail())).toList();
        List<SilenceLabels> labels = details.stream()
                .map(detail -> SilenceLabels.of(
                        detail.path("agent_id").asText(), detail.path("role_id").asText()))
                .toList();
        List<Optional<Silence>> covering = silences.covering(active, labels, now);
        return IntStream.range(0, events.size())
                .mapToObj(i -> covering.get(i).isPresent()
                        ? marked(events.get(i), (ObjectNode) details.get(i))
                        : events.get(i))
                .toList();
    }

    private static LoggedEvent marked(LoggedEvent event, ObjectNode detail) {
        return new LoggedEvent(event.place(), event.type(), Json.text(detail.put("in_maintenance", true)), event.at());
    }
}
