package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.lifecycle.Phase;
import dev.agenthealth.model.registry.lifecycle.StallChange;

/** Decides about the meaning of stalls. */
final class StallMeaning {

    private StallMeaning() {}

    static EventMeaning begun(EventFields fields) {
        return EventMeaning.problem(
                fields.severity() == Severity.ERROR ? Verdict.DOWN : Verdict.DEGRADED,
                EventMeaning.agent(fields) + " has been stalled " + place(fields)
                        + LifecycleMeaning.since("stalled_since", fields) + ".");
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
