package dev.agenthealth.model.event;

import dev.agenthealth.model.health.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The description of an event type: everything that its events have in common.
 *
 * @param subject the thing that the events are about
 * @param kind the meaning of the events; empty if it depends on the event
 * @param severity the severity of the events; empty if it depends on the event
 * @param verdict the verdict that an event alone leads to; empty if it says nothing about the use of an agent, or depends on the event
 * @param sentence the sentence for people, as {@link EventFields#fill} reads it; empty if it depends on the event
 * @param erased the names of the fields with texts that an agent, its owner or an operator chose. They are erased with the agent
 */
public record EventDescription(
        EventSubject subject,
        Optional<EventKind> kind,
        Optional<Severity> severity,
        Optional<Verdict> verdict,
        String sentence,
        Set<String> erased) {

    public EventDescription {
        erased = Set.copyOf(erased);
    }

    /** Returns a type whose events are problems of different severities. */
    static EventDescription problem(EventSubject subject) {
        return of(subject, Optional.of(EventKind.PROBLEM), Optional.empty());
    }

    /** Returns a type whose events are problems. */
    static EventDescription problem(EventSubject subject, Severity severity) {
        return of(subject, Optional.of(EventKind.PROBLEM), Optional.of(severity));
    }

    /** Returns a type whose events end problems of their subject. */
    static EventDescription recovery(EventSubject subject) {
        return of(subject, Optional.of(EventKind.RECOVERY), Optional.of(Severity.INFO));
    }

    /** Returns a type whose events are neither problems nor recoveries. */
    static EventDescription notice(EventSubject subject) {
        return of(subject, Optional.of(EventKind.NOTICE), Optional.of(Severity.INFO));
    }

    /** Returns a type with problems, recoveries and notices. */
    static EventDescription change(EventSubject subject) {
        return of(subject, Optional.empty(), Optional.empty());
    }

    private static EventDescription of(EventSubject subject, Optional<EventKind> kind, Optional<Severity> severity) {
        return new EventDescription(subject, kind, severity, Optional.empty(), "", Set.of());
    }

    EventDescription verdict(Verdict newVerdict) {
        return new EventDescription(subject, kind, severity, Optional.of(newVerdict), sentence, erased);
    }

    EventDescription says(String newSentence) {
        return new EventDescription(subject, kind, severity, verdict, newSentence, erased);
    }

    EventDescription erases(String... fields) {
        return new EventDescription(subject, kind, severity, verdict, sentence, Set.copyOf(List.of(fields)));
    }

    /** Returns whether an event of the type can be a problem. */
    public boolean canBeProblem() {
        return kind.orElse(EventKind.PROBLEM) == EventKind.PROBLEM;
    }
}
