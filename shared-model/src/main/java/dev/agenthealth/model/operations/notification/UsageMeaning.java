package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.EventFields;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.registry.usage.UsageLevel;
import java.util.regex.Pattern;

/** Decides about the meaning of the used part of a limit. Only a limit that is used up is a problem. */
final class UsageMeaning {

    private static final Pattern DIGITS_BEFORE_GROUPS = Pattern.compile("[0-9](?=([0-9]{3})+$)");

    private UsageMeaning() {}

    static EventMeaning of(EventFields fields) {
        String agent = EventMeaning.agent(fields);
        if (fields.is("level", UsageLevel.EXCEEDED)) {
            return EventMeaning.problem(
                    Verdict.DOWN, agent + " is over its limit: " + used(fields) + fields.fill(", until {until}."));
        }
        if (fields.is("level", UsageLevel.WARNING)) {
            String sentence = agent + " is near its limit: " + used(fields) + fields.fill(", until {until}.");
            return fields.is("previous_level", UsageLevel.EXCEEDED)
                    ? EventMeaning.recovery(Verdict.DEGRADED, sentence)
                    : EventMeaning.notice(Verdict.DEGRADED, sentence);
        }
        String sentence = agent + " is within its limit again: " + limit(fields) + ".";
        return fields.is("previous_level", UsageLevel.EXCEEDED)
                ? EventMeaning.recovery(sentence)
                : EventMeaning.notice(sentence);
    }

    /** Returns the meaning for a role or an owner, whose agents share the limit. It says nothing about a single agent. */
    static EventMeaning shared(EventFields fields) {
        String holder = fields.fill("[Role {role_id}][Owner {key_id}]");
        String shared = fields.fill(", until {until}. Its agents share the limit.");
        if (fields.is("level", UsageLevel.EXCEEDED)) {
            return EventMeaning.problem(holder + " is over its limit: " + used(fields) + shared);
        }
        String sentence = holder
                + (fields.is("level", UsageLevel.WARNING)
                        ? " is near its limit: " + used(fields) + shared
                        : " is within its limit again: " + limit(fields) + ".");
        return fields.is("previous_level", UsageLevel.EXCEEDED)
                ? EventMeaning.recovery(sentence)
                : EventMeaning.notice(sentence);
    }

    /** Returns the used part of the limit, such as {@code 12,900 of 10,000 tokens per hour}. */
    private static String used(EventFields fields) {
        return grouped(fields.text("used")) + " of " + grouped(fields.text("maximum")) + " " + limit(fields);
    }

    private static String grouped(String digits) {
        return DIGITS_BEFORE_GROUPS.matcher(digits).replaceAll("$0,");
    }

    /** Returns the limit as words. A later version may know further limits. */
    private static String limit(EventFields fields) {
        return fields.text("limit").replace('_', ' ');
    }
}
