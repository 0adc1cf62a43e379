package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last 1,000 events that a rule matched, oldest first, each as a target receives it. Thread-safe. */
public final class MatchedEvents {

    public static final int CAPACITY = 1_000;

    private final Deque<JsonNode> events = new ArrayDeque<>();

    synchronized void add(JsonNode envelope) {
        if (events.size() == CAPACITY) {
            events.removeFirst();
        }
        events.addLast(envelope);
    }

    /** All events that are kept. */
    public synchronized List<JsonNode> all() {
        return List.copyOf(events);
    }

    /**
     * The newest {@code limit} events that have the detail type and happened at {@code since} or later.
     *
     * @param detailType empty for any
     */
    public List<JsonNode> find(Instant since, String detailType, int limit) {
        List<JsonNode> found = all().stream()
                .filter(event -> !Instant.parse(event.path("time").asText()).isBefore(since))
                .filter(event -> detailType.isEmpty()
                        || event.path("detail-type").asText().equals(detailType))
                .toList();
        return found.subList(Math.max(0, found.size() - limit), found.size());
    }
}
