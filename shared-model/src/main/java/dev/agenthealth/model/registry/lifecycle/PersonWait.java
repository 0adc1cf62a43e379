package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * The facts about an agent's wait for a person that its activity does not have.
 *
 * @param forHash the hash of the stored text that says what the agent waits for; 0 without a text
 * @param taskSince the beginning of the longest wait of an A2A task that the gateway saw; {@link Instant#MAX} if no such task waits
 */
public record PersonWait(int forHash, Instant taskSince) {

    /** The maximum length of the text that says what the agent waits for, in characters. */
    public static final int MAX_FOR = 200;

    /** No wait. */
    public static final PersonWait NONE = new PersonWait(0, Instant.MAX);

    private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\s]+");

    /** Returns the text on one line, up to {@link #MAX_FOR} characters. A long text must not hide that the agent waits. */
    public static String shown(String text) {
        if (text.isEmpty()) {
            return text;
        }
        String line = UNSHOWN.matcher(text).replaceAll(" ").strip();
        int end = Math.min(line.length(), MAX_FOR);
        boolean splits = end < line.length() && Character.isHighSurrogate(line.charAt(end - 1));
        return line.substring(0, splits ? end - 1 : end);
    }

    /** Returns this wait without a beginning in the future. */
    PersonWait bounded(Duration maxAhead, Instant now) {
        return taskSince.equals(Instant.MAX) ? this : withTaskSince(ClockRule.bounded(taskSince, maxAhead, now));
    }

    /** Returns this wait with another beginning of the tasks' wait. */
    PersonWait withTaskSince(Instant since) {
        return new PersonWait(forHash, since);
    }
}
