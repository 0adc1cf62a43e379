package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last 1,000 events that were put on a bus, oldest first, each with the rules that matched. Thread-safe. */
public final class BusEvents {

    public static final int CAPACITY = 1_000;

    private final Deque<BusEvent> events = new ArrayDeque<>();

    /**
     * An event.
     *
     * @param text the JSON that a rule's target receives
     * @param time when the event happened, in whole seconds
     * @param rules logical ids of the rules that matched, sorted
     */
    public record BusEvent(String text, Instant time, String detailType, List<String> rules) {

        public BusEvent {
            rules = List.copyOf(rules);
        }

        /** Returns the event as a rule's target receives it. It is read from the text, because most events are never shown. */
        public ObjectNode envelope() {
            try {
                return (ObjectNode) Json.read(text);
            } catch (IOException e) {
                throw new UncheckedIOException("the bus keeps only events that are JSON", e);
            }
        }
    }

    synchronized void add(BusEvent event) {
        if (events.size() == CAPACITY) {
            events.removeFirst();
        }
        events.addLast(event);
    }

    /** Returns all kept events. */
    public synchronized List<BusEvent> all() {
        return List.copyOf(events);
    }

    /** Returns the events that a rule matched, as a target receives them. */
    public List<ObjectNode> matched() {
        return all().stream()
                .filter(event -> !event.rules().isEmpty())
                .map(BusEvent::envelope)
                .toList();
    }

    /**
     * Returns the newest {@code limit} events that have the detail type and happened at {@code since} or later.
     *
     * @param detailType empty for any
     */
    public List<BusEvent> find(Instant since, String detailType, int limit) {
        List<BusEvent> found = all().stream()
                .filter(event -> !event.time().isBefore(since))
                .filter(event -> detailType.isEmpty() || event.detailType().equals(detailType))
                .toList();
        return found.subList(Math.max(0, found.size() - limit), found.size());
    }
}
