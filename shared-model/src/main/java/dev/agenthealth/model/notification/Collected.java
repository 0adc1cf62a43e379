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

/**
 * What a rule has noted and not sent, as far as some events need it.
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
     * The same with more events, each counted once; groups without an open subject have 0.
     *
     * @param newId the ids of new digests
     */
    public Collected plus(NotificationRule rule, List<EventReading> events, Instant now, Supplier<String> newId) {
        Collecting collecting = new Collecting(this, rule, now, newId);
        events.stream().sorted(Comparator.comparing(EventReading::order)).forEach(collecting::add);
        return new Collected(collecting.subjects, collecting.digests, collecting.groups);
    }

    /** Adds events one after the other. Not thread-safe. */
    private static final class Collecting {

        private final Map<String, SubjectState> subjects;
        private final Map<String, Digest> digests;
        private final Map<String, Integer> groups;
        private final NotificationRule rule;
        private final Instant now;
        private final Supplier<String> newId;

        Collecting(Collected before, NotificationRule rule, Instant now, Supplier<String> newId) {
            this.subjects = new HashMap<>(before.subjects);
            this.digests = new HashMap<>(before.digests);
            this.groups = new HashMap<>(before.groups);
            this.rule = rule;
            this.now = now;
            this.newId = newId;
        }

        void add(EventReading event) {
            String subject = event.entry().subject();
            Optional<SubjectState> known = Optional.ofNullable(subjects.get(subject));
            rule.admit(event, known, now).ifPresent(admitted -> {
                String slot = admitted.shown() ? show(event, admitted) : "";
                String before = known.map(SubjectState::messageId).orElse("");
                String after = event.kind() == Kind.PROBLEM
                        ? digests.get(slot).id()
                        : admitted.after().messageId();
                subjects.put(subject, admitted.after().in(after));
                if (!before.equals(after)) {
                    leave(before, slot, subject);
                    if (!after.isEmpty()) {
                        digests.computeIfPresent(slot, (key, digest) -> digest.withOpen(1));
                    }
                }
            });
        }

        /** Puts an event into a digest, and returns the slot of the digest. */
        private String show(EventReading event, Admission admitted) {
            Optional<Instant> held = rule.heldUntil(admitted.urgency(), now);
            String slot = held.isPresent() ? HELD : SOON;
            Digest digest = Optional.ofNullable(digests.get(slot))
                    .orElseGet(() -> Digest.open(
                            newId.get(), held.orElse(event.entry().at().plus(rule.grouping()))));
            digests.put(slot, digest.plus(event.entry()));
            return slot;
        }

        /** A subject recovered, or another message reports its problem. */
        private void leave(String messageId, String slot, String subject) {
            boolean alone = !messageId.isEmpty() && !groups.containsKey(messageId);
            for (Map.Entry<String, Digest> open : digests.entrySet()) {
                if (open.getValue().id().equals(messageId)) {
                    open.setValue(open.getValue().withOpen(-1));
                    alone = false;
                }
            }
            if (alone) {
                digests.computeIfPresent(slot, (key, digest) -> digest.withAlert(subject));
            }
            Integer left = groups.computeIfPresent(messageId, (id, number) -> Math.max(0, number - 1));
            if (left != null && left == 0) {
                digests.computeIfPresent(slot, (key, digest) -> digest.withOver(messageId));
            }
        }
    }
}
