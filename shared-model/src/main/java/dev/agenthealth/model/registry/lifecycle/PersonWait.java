package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;

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

    /** Returns this wait without a beginning in the future. */
    PersonWait bounded(Duration maxAhead, Instant now) {
        return taskSince.equals(Instant.MAX) ? this : withTaskSince(ClockRule.bounded(taskSince, maxAhead, now));
    }

    /** Returns this wait with another beginning of the tasks' wait. */
    PersonWait withTaskSince(Instant since) {
        return new PersonWait(forHash, since);
    }
}
