package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.Severity;
import java.time.Instant;
import java.util.Optional;

/**
 * A moment in the life of a problem.
 *
 * @param kind the kind of the moment
 * @param severity the severity of the problem from then on; empty if the moment does not change it
 * @param id the id of the message, the silence or the person's key; empty without one
 * @param name the name of the rule, the silence or the person's key; empty without one
 * @param result the result of a notification, or the assignee of an acknowledgement; empty without one
 */
public record ProblemMoment(Instant at, Kind kind, Optional<Severity> severity, String id, String name, String result) {

    /** The kind of a moment. */
    public enum Kind implements WireNamed {
        OPENED,
        WORSENED,
        EASED,
        /** A rule sent a message about the problem, or tried to. */
        NOTIFIED,
        /** A silence held back the notifications about the problem. */
        SILENCED,
        ACKNOWLEDGED,
        /** A person took the acknowledgement back. */
        RELEASED,
        DISMISSED,
        OVER
    }

    /** The result of a notification. */
    public enum Sending implements WireNamed {
        DELIVERED,
        /** The attempt failed, and another one follows. */
        RETRYING,
        /** The receiver did not accept the message, or no attempt follows. */
        FAILED
    }

    static ProblemMoment of(Instant at, Kind kind) {
        return new ProblemMoment(at, kind, Optional.empty(), "", "", "");
    }

    static ProblemMoment of(Instant at, Kind kind, Optional<Severity> severity) {
        return new ProblemMoment(at, kind, severity, "", "", "");
    }

    /** Returns the note about a message of a rule. */
    public static ProblemMoment notified(Instant at, String messageId, String rule, Sending result) {
        return new ProblemMoment(at, Kind.NOTIFIED, Optional.empty(), messageId, rule, result.wireName());
    }

    /** Returns the note about a silence that held back an event. */
    public static ProblemMoment silenced(Instant at, String silenceId, String silence) {
        return new ProblemMoment(at, Kind.SILENCED, Optional.empty(), silenceId, silence, "");
    }

    /** Returns the note about an action of a person. It leaves out the person's free text. */
    static ProblemMoment by(Handling handling, Kind kind) {
        return new ProblemMoment(
                handling.at(), kind, Optional.empty(), handling.by(), handling.byName(), handling.assignee());
    }

    /** Returns whether this note is about the same message, or the same silence, as another note. */
    boolean replaces(ProblemMoment other) {
        return (kind == Kind.NOTIFIED || kind == Kind.SILENCED) && kind == other.kind && id.equals(other.id);
    }
}
