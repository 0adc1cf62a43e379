package dev.agenthealth.model.notification;

import dev.agenthealth.model.notification.EventReading.Kind;
import dev.agenthealth.model.notification.NotificationRule.Admission;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The state of a rule that some events change: noted subjects, and events that are not sent.
 *
 * @param subjects what is noted of their subjects
 * @param digests the open digests, by slot
 * @param groups of messages that were sent as one alert for several subjects: how many of these have not recovered, by the message's id
 */
public record Collected(Map<String, SubjectState> subjects, Map<String, Digest> digests, Map<String, Integer> groups) {

    /** The digest of what is sent once it is grouped. */
    public static final String SOON = "soon";

    /** The digest of what is held for quiet hours. */
    public static final String HELD = "held";

    public Collected {
        subjects = Map.copyOf(subjects);
        digests = Map.copyOf(digests);
        groups = Map.copyOf(groups);
    }

    /**
     * Returns the state after more events, each counted once; groups without an open subject have 0.
     *
     * @param newId the ids of new digests
     */
    public Collected plus(NotificationRule rule, List<EventReading> events, Instant now, Supplier<String> newId) {
        Collector collector =
                new Collector(new HashMap<>(subjects), new HashMap<>(digests), new HashMap<>(groups), rule, now, newId);
        events.stream().sorted(Comparator.comparing(EventReading::order)).forEach(collector::add);
        return new Collected(collector.subjects, collector.digests, collector.groups);
    }

    /** Adds events one after the other. Not thread-safe: the maps change. */
    private record Collector(
            Map<String, SubjectState> subjects,
            Map<String, Digest> digests,
            Map<String, Integer> groups,
            NotificationRule rule,
            Instant now,
            Supplier<String> newId) {

        void add(EventReading event) {
            SubjectState before = subjects.getOrDefault(event.entry().subject(), SubjectState.UNKNOWN);
            rule.admit(event, before, now).ifPresent(admission -> add(event, before, admission));
        }

        /** A problem opens in the digest that reports it; a recovery, and a later report, closes it where it was reported before. */
        private void add(EventReading event, SubjectState before, Admission admission) {
            String subject = event.entry().subject();
            String slot = admission.shown() ? show(event.entry(), admission.urgency()) : "";
            SubjectState after = event.kind() == Kind.PROBLEM
                    ? admission.after().in(digests.get(slot).id())
                    : admission.after();
            subjects.put(subject, after);
            if (!after.messageId().equals(before.messageId())) {
                change(slot, close(before.messageId(), subject));
                if (event.kind() == Kind.PROBLEM) {
                    change(slot, digest -> digest.withOpen(1));
                }
            }
        }

        /** Puts an event into the digest that is sent soon or the one that is held, and returns its slot. */
        private String show(NotificationEntry entry, Severity urgency) {
            Optional<Instant> heldUntil = rule.heldUntil(urgency, now);
            String slot = heldUntil.isPresent() ? HELD : SOON;
            Instant dueAt = heldUntil.orElse(entry.at().plus(rule.grouping()));
            digests.computeIfAbsent(slot, unused -> Digest.open(newId.get(), dueAt));
            change(slot, digest -> digest.plus(entry));
            return slot;
        }

        /** Takes a subject from the message that reported its problem; returns how a digest says that an alert is over with it. */
        private UnaryOperator<Digest> close(String messageId, String subject) {
            for (Map.Entry<String, Digest> open : digests.entrySet()) {
                if (open.getValue().id().equals(messageId)) {
                    open.setValue(open.getValue().withOpen(-1));
                    return UnaryOperator.identity();
                }
            }
            Integer left = groups.computeIfPresent(messageId, (id, number) -> Math.max(0, number - 1));
            if (left == null) {
                return messageId.isEmpty() ? UnaryOperator.identity() : digest -> digest.withAlert(subject);
            }
            return left == 0 ? digest -> digest.withOver(messageId) : UnaryOperator.identity();
        }

        private void change(String slot, UnaryOperator<Digest> change) {
            digests.computeIfPresent(slot, (key, digest) -> change.apply(digest));
        }
    }
}
