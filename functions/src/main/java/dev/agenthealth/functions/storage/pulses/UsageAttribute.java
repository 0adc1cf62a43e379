package dev.agenthealth.functions.storage.pulses;

import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.PublishedUsage;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import java.time.Instant;

/**
 * Stores the published level of usage in a short text: a digit for the level and for the limit each, and the end in base 36. The action has an
 * attribute of its own, a digit, which earlier versions skip.
 */
final class UsageAttribute {

    private static final int BASE = 36;
    private static final int END = 2;

    private UsageAttribute() {}

    /** Returns the text; empty without a published level. */
    static String text(PublishedUsage usage) {
        return usage.isOpen()
                ? "" + usage.level().ordinal() + usage.limit().ordinal()
                        + Long.toString(usage.until().toEpochMilli(), BASE)
                : "";
    }

    /** Returns the text of the action; empty for {@link OnExceeded#NONE}. */
    static String action(PublishedUsage usage) {
        return usage.action() == OnExceeded.NONE
                ? ""
                : Integer.toString(usage.action().ordinal());
    }

    /** Returns the level of a text, with its action. */
    static PublishedUsage read(String text, String action) {
        return text.isEmpty()
                ? PublishedUsage.NONE
                : new PublishedUsage(
                        UsageLevel.values()[text.charAt(0) - '0'],
                        UsageLimit.values()[text.charAt(1) - '0'],
                        Instant.ofEpochMilli(Long.parseLong(text.substring(END), BASE)),
                        action.isEmpty() ? OnExceeded.NONE : OnExceeded.values()[action.charAt(0) - '0']);
    }
}
