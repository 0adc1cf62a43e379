package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.notification.NotificationRule.Admission;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The state of a notification rule: the known subjects, and the events that wait to be sent.
 *
 * @param subjects the state of each subject
 * @param digests the open digests, by slot
 * @param groups the messages that were sent as one alert for several subjects, by id, with the number of subjects that have not recovered
 */
public record Collected(Map<String, SubjectState> subjects, Map<String, Digest> digests, Map<String, Integer> groups) {

    /** The slot of the digest that is sent after the grouping time. */
    public static final String SOON = "soon";

    /** The slot of the digest that is held for quiet hours. */
    public static final String HELD = "held";

    /** The slots of digests to which events are added. */
    public static final List<String> SLOTS = List.of(SOON, HELD);

    /** The prefix of slots for digests that only end alerts, followed by the id of the digest. No event is added to them. */
    private static final String FULL = "full-";

    /** The maximum time until the end of quiet hours: a day, and the hour that clocks go back. */
    private static final Duration MAX_HELD = Duration.ofHours(25);

    /** Returns the maximum time for which a rule collects events in a slot. */
    public static Duration longest(String slot, NotificationRule rule) {
        return slot.equals(SOON) ? rule.grouping() : MAX_HELD;
    }

    public Collected {
        subjects = Map.copyOf(subjects);
        digests = Map.copyOf(digests);
        groups = Map.copyOf(groups);
    }

    /**
     * Returns the state after more events, each counted once. Groups without an open subject have 0.
     *
     * @param newId returns the id of a new digest
     */
    public Collected plus(NotificationRule rule, List<ReceivedEvent> events, Instant now, Supplier<String> newId) {
        Collector collector =
                new Collector(new HashMap<>(subjects), new HashMap<>(digests), new HashMap<>(groups), rule, now, newId);
        // Events of one subject are ordered by their numbers. By time, a recovery from a server with a slow clock would
        // overtake its problem.
        Map<String, Iterator<ReceivedEvent>> bySubject = new HashMap<>();
        events.stream()
                .sorted(Comparator.comparing(ReceivedEvent::order, ReceivedEvent.LATER))
                .collect(Collectors.groupingBy(event -> event.entry().subject()))
                .forEach((subject, inOrder) -> bySubject.put(subject, inOrder.iterator()));
        events.stream()
                .sorted(Comparator.comparing(ReceivedEvent::order))
                .map(event -> bySubject.get(event.entry().subject()).next())
                .forEach(collector::add);
        return new Collected(collector.subjects, collector.digests, collector.groups);
    }

    /** Adds events one after the other. Not thread-safe: it changes the maps. */
    private record Collector(
            Map<String, SubjectState> subjects,
            Map<String, Digest> digests,
            Map<String, Integer> groups,
            NotificationRule rule,
            Instant now,
            Supplier<String> newId) {

        void add(ReceivedEvent event) {
            SubjectState before = subjects.getOrDefault(event.entry().subject(), SubjectState.UNKNOWN);
            rule.admit(event, before, now).ifPresent(admission -> add(event.entry(), before, admission));
        }

        private void add(NotificationEntry entry, SubjectState before, Admission admission) {
            String slot = admission.shown() ? show(entry, admission.urgency()) : "";
            SubjectState after = admission.after();
            if (entry.kind() == EventKind.PROBLEM) {
                after = new SubjectState(
                        after.order(), after.problem(), digests.get(slot).id());
                keepOpen(entry.subject(), slot);
            }
            subjects.put(entry.subject(), after);
            if (after.messageId().equals(before.messageId())) {
                return;
            }
            if (entry.kind() == EventKind.PROBLEM) {
                change(slot, digest -> digest.withOpen(1));
            }
            endedWith(entry.subject(), before.messageId()).ifPresent(alert -> end(slot, alert));
        }

        /** Prevents the other digests, which may be sent later, from ending the alert that this digest opens. */
        private void keepOpen(String subject, String slot) {
            digests.replaceAll((other, digest) -> other.equals(slot)
                    ? digest
                    : digest.ending(digest.ended().stream()
                            .filter(alert -> !alert.equals(subject))
                            .toList()));
        }

        /** Adds an event to the digest that is sent soon or to the held digest, and returns the slot. */
        private String show(NotificationEntry entry, Severity urgency) {
            Optional<Instant> heldUntil = rule.heldUntil(urgency, now);
            String slot = heldUntil.isPresent() ? HELD : SOON;
            // An event from a clock that was ahead would hold this event and all later ones.
            Instant first = entry.at().isBefore(now) ? entry.at() : now;
            Instant dueAt = heldUntil.orElse(first.plus(rule.grouping()));
            digests.computeIfAbsent(slot, unused -> Digest.of(newId.get(), dueAt, List.of()));
            change(slot, digest -> digest.plus(entry));
            return slot;
        }

        /** Removes a subject from the message that reported its problem. Returns the alert that is over with it, if any. */
        private Optional<String> endedWith(String subject, String messageId) {
            for (Map.Entry<String, Digest> open : digests.entrySet()) {
                if (open.getValue().id().equals(messageId)) {
                    open.setValue(open.getValue().withOpen(-1));
                    return Optional.empty();
                }
            }
            Integer left = groups.computeIfPresent(messageId, (id, number) -> Math.max(0, number - 1));
            if (left == null) {
                return messageId.isEmpty() ? Optional.empty() : Optional.of(subject);
            }
            return left == 0 ? Optional.of(NotificationMessage.groupAlert(messageId)) : Optional.empty();
        }

        /** Makes a digest end an alert. If the digest has too many of them, it moves into a slot of its own, so that no end is lost. */
        private void end(String slot, String alert) {
            change(slot, digest -> digest.ending(alert));
            Digest digest = digests.get(slot);
            if (digest != null && digest.ended().size() >= Digest.MAX_ENDED) {
                String id = newId.get();
                digests.put(FULL + id, Digest.of(id, digest.dueAt(), digest.ended()));
                digests.put(slot, digest.ending(List.of()));
            }
        }

        private void change(String slot, UnaryOperator<Digest> change) {
            digests.computeIfPresent(slot, (key, digest) -> change.apply(digest));
        }
    }
}
