package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.StallChange;

/** Decides about the meaning of stalls, waits and loops. */
final class StallMeaning {

    private StallMeaning() {}

    static EventMeaning begun(EventFields fields) {
        return EventMeaning.problem(
                verdict(fields),
                EventMeaning.agent(fields) + " has been stalled " + place(fields)
                        + LifecycleMeaning.since("stalled_since", fields) + ".");
    }

    /** Returns the sentence about a wait. It names the beginning, because a message may come much later than the event. */
    static String waitingSentence(EventFields fields) {
        return EventMeaning.agent(fields) + " has been waiting for a person"
                + LifecycleMeaning.since("waiting_since", fields) + ".";
    }

    static EventMeaning looping(EventFields fields) {
        return EventMeaning.problem(
                verdict(fields),
                EventMeaning.agent(fields)
                        + fields.fill(" repeats the same calls[ of tool {tool}]")
                        + LifecycleMeaning.since("since", fields)
                        + fields.fill(": {repeats} repetitions so far."));
    }

    private static Verdict verdict(EventFields fields) {
        return fields.severity() == Severity.ERROR ? Verdict.DOWN : Verdict.DEGRADED;
    }

    static String overSentence(EventFields fields) {
        return EventMeaning.agent(fields) + " is no longer stalled " + place(fields)
                + fields.fill(", after {stalled_seconds} s")
                + (fields.is("reason", StallChange.Reason.ENDED) ? ": the agent is gone." : ".");
    }

    private static String place(EventFields fields) {
        return fields.word("phase", Phase.class).orElse(Phase.OTHER).place();
    }
}
