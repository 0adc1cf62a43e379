package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.RetryPauses;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The attempts to deliver a message. They end after {@link #GIVEN_UP_AFTER}.
 *
 * @param made the number of failed attempts
 * @param since the time of the first attempt
 */
public record DeliveryAttempts(int made, Instant since) {

    /** The time after which a message is given up. */
    public static final Duration GIVEN_UP_AFTER = Duration.ofHours(24);

    /** The longest pause that a receiver may ask for. */
    public static final Duration MAX_ASKED_PAUSE = Duration.ofHours(1);

    /** The last pause is short, so that a receiver that recovers gets its messages soon. */
    private static final RetryPauses PAUSES = new RetryPauses(
            List.of(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(5)),
            Optional.of(Duration.ofMinutes(15)),
            MAX_ASKED_PAUSE);

    /** The maximum number of attempts within {@link #GIVEN_UP_AFTER}. */
    private static final int MAX_ATTEMPTS = 100;

    /**
     * Returns the time of the next attempt after a failed one.
     *
     * @param asked the pause that the receiver asked for, at most an hour
     * @return the time; empty if no attempt follows
     */
    public Optional<Instant> nextAfter(Instant now, Duration asked) {
        Instant next = now.plus(PAUSES.after(made + 1, asked).orElseThrow());
        // If the clock ran ahead at the first attempt, nothing is known about the time since then.
        boolean over = ClockRule.isTooFarAhead(since, Duration.ZERO, now)
                ? made >= MAX_ATTEMPTS
                : next.isAfter(since.plus(GIVEN_UP_AFTER));
        return over ? Optional.empty() : Optional.of(next);
    }
}
