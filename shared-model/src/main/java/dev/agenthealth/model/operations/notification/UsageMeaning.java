package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.usage.UsageLevel;

/** Decides about the meaning of the used part of a limit. Only a limit that is used up is a problem. */
final class UsageMeaning {

    private UsageMeaning() {}

    static EventMeaning of(EventFields fields) {
        String agent = EventMeaning.agent(fields);
        if (fields.is("level", UsageLevel.EXCEEDED)) {
            return EventMeaning.problem(
                    Verdict.DOWN,
                    agent + fields.fill(" used up its limit {limit}: {used} of {maximum}, until {until}."));
        }
        if (fields.is("level", UsageLevel.WARNING)) {
            String sentence = agent + fields.fill(" used {used} of {maximum} of its limit {limit}, until {until}.");
            return fields.is("previous_level", UsageLevel.EXCEEDED)
                    ? EventMeaning.recovery(Verdict.DEGRADED, sentence)
                    : EventMeaning.notice(Verdict.DEGRADED, sentence);
        }
        String sentence = agent + fields.fill(" is within its limit {limit} again.");
        return fields.is("previous_level", UsageLevel.EXCEEDED)
                ? EventMeaning.recovery(sentence)
                : EventMeaning.notice(sentence);
    }

    /** Returns the meaning for a role or an owner, whose agents share the limit. It says nothing about a single agent. */
    static EventMeaning shared(EventFields fields) {
        String holder = fields.fill("[Role {role_id}][Owner {key_id}]");
        String shared = ", until {until}. Its agents share the limit.";
        if (fields.is("level", UsageLevel.EXCEEDED)) {
            return EventMeaning.problem(
                    holder + fields.fill(" used up its limit {limit}: {used} of {maximum}" + shared));
        }
        String sentence = holder
                + fields.fill(
                        fields.is("level", UsageLevel.WARNING)
                                ? " used {used} of {maximum} of its limit {limit}" + shared
                                : " is within its limit {limit} again.");
        return fields.is("previous_level", UsageLevel.EXCEEDED)
                ? EventMeaning.recovery(sentence)
                : EventMeaning.notice(sentence);
    }
}
