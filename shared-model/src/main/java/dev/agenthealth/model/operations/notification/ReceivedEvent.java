package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.AgentEvents;
import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventSubject;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An event as notifications and problems receive it from the bus: with its meaning, and its position among the events of its subject.
 *
 * @param type the type of the event
 * @param partOf the type of another event that has the same cause and reports it; empty without one
 * @param verdict the verdict that the event alone leads to; empty if the event says nothing about the use of an agent
 * @param entry the event as messages show it
 * @param order the position among the events of the subject, compared with {@link #LATER}: the time, then the number
 * @param outlives the type of the event that this problem was a part of and outlives; empty without one
 * @param renewal whether a known agent registered again
 */
public record ReceivedEvent(
        EventType type,
        Optional<EventType> partOf,
        Optional<Verdict> verdict,
        NotificationEntry entry,
        String order,
        Optional<EventType> outlives,
        boolean renewal) {

    /** The number of digits of the time in an order, in milliseconds. */
    public static final int DIGITS_OF_MILLIS = 15;

    private static final int DIGITS_OF_NUMBER = 19;

    /**
     * Compares the orders of two events of a subject: first by their numbers, which rise with each event, then by their times. Times alone may be
     * wrong, as each comes from another server's clock, and decide only between events without a number.
     */
    public static final Comparator<String> LATER = Comparator.comparing(
                    (String order) -> order.substring(Math.min(DIGITS_OF_MILLIS, order.length())))
            .thenComparing(Comparator.naturalOrder());

    /** The maximum length of a text. It is longer than every id, status and number of the registry, and fits into a key of the storage. */
    private static final int MAX_WORD = 256;

    private static final int MAX_SUMMARY = 2_000;

    /**
     * Reads the detail of an event.
     *
     * @param detail the texts, numbers and lists of the detail, as {@link EventFields} has them
     * @return the event, and the ends of other problems that are over with it; empty if the detail has no id or time, or a text that is longer than
     *     in any event of the registry
     */
    public static List<ReceivedEvent> of(EventType type, Map<String, String> detail) {
        EventFields fields = new EventFields(detail);
        Optional<Instant> at = fields.moment("timestamp");
        if (fields.text("event_id").isEmpty() || at.isEmpty()) {
            return List.of();
        }
        EventMeaning meaning = EventMeaning.of(type, fields);
        EventMeaning over = EventMeaning.recovery(meaning.sentence());
        List<ReceivedEvent> events = Stream.concat(
                        Stream.of(of(type, meaning, fields, at.get())),
                        alsoOver(type, fields).map(other -> of(other, over, fields, at.get())))
                .toList();
        return events.stream().allMatch(ReceivedEvent::fits) ? events : List.of();
    }

    /** Returns the types of the agent's other problems that end with an event, as they may have no end event of their own. */
    private static Stream<EventType> alsoOver(EventType type, EventFields fields) {
        boolean lifecycle = type == EventType.AGENT_LIFECYCLE;
        boolean ended = type == EventType.AGENT_DISMISSED || lifecycle && LifecycleMeaning.isDeregistered(fields);
        boolean renewed = lifecycle && LifecycleMeaning.isRenewal(fields);
        // An agent that is replaced by a new registration goes on.
        boolean gone = ended && fields.text("replaced").isEmpty();
        return Arrays.stream(EventType.values())
                .filter(other -> other.description().canBeProblem())
                .filter(other -> switch (other.subject().end()) {
                    case OWN_EVENT -> false;
                    case REGISTRATION -> ended || renewed;
                    case AGENT -> gone;
                });
    }

    /** Returns this event as a part of an event of another type, which has the same cause and reports it. */
    public ReceivedEvent partOf(EventType whole) {
        return new ReceivedEvent(type, Optional.of(whole), verdict, entry, order, outlives, renewal);
    }

    private boolean fits() {
        return entry.summary().length() <= MAX_SUMMARY
                && Stream.of(
                                entry.eventId(),
                                entry.agentId(),
                                entry.roleId(),
                                entry.from(),
                                entry.to(),
                                entry.subject(),
                                order)
                        .allMatch(word -> word.length() <= MAX_WORD);
    }

    private static ReceivedEvent of(EventType type, EventMeaning meaning, EventFields fields, Instant at) {
        NotificationEntry entry = new NotificationEntry(
                fields.text("event_id"),
                type.wireName(),
                meaning.kind(),
                meaning.kind() == EventKind.PROBLEM ? fields.severity() : Severity.INFO,
                fields.text("agent_id"),
                fields.text("role_id"),
                at,
                fields.first("previous_status", "previous_state"),
                fields.first("new_status", "new_state", "action"),
                meaning.sentence(),
                type.subject().of(fields));
        Optional<EventType> partOf =
                HealthMeaning.isByLifecycle(fields) ? Optional.of(EventType.AGENT_LIFECYCLE) : Optional.empty();
        return new ReceivedEvent(
                type,
                partOf,
                meaning.verdict(),
                entry,
                order(type, at, fields),
                WireNamed.find(EventType.class, fields.text(AgentEvents.OUTLIVES)),
                LifecycleMeaning.isRenewal(fields));
    }

    private static String order(EventType type, Instant at, EventFields fields) {
        // An id may be blocked before it registers. The beginning and the end of a lease have the same token.
        String number = fields.first("revision", "fencing_token", "sequence");
        boolean endOfLease = type.subject() == EventSubject.LEASE && type != EventType.LEASE_ACQUIRED;
        return padded(Long.toString(Math.max(0, at.toEpochMilli())), DIGITS_OF_MILLIS)
                + padded(number, DIGITS_OF_NUMBER)
                + (endOfLease ? "1" : "");
    }

    private static String padded(String number, int digits) {
        return "0".repeat(Math.max(0, digits - number.length())) + number.replace(' ', '0');
    }
}
