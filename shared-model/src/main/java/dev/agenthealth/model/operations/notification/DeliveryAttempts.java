package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The attempts to deliver a message, which are made over {@link #GIVEN_UP_AFTER}.
 *
 * @param made attempts that failed
 * @param since when the first one was made
 */
public record DeliveryAttempts(int made, Instant since) {

    /** The time in which a message is retried. */
    public static final Duration GIVEN_UP_AFTER = Duration.ofHours(24);

    private static final List<Duration> PAUSES =
            List.of(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(5));

    /** Short enough that a receiver that is back gets the events since then soon. */
    private static final Duration LAST_PAUSE = Duration.ofMinutes(15);

    /** The longest time until the next attempt. */
    public static final Duration MAX_ASKED_PAUSE = Duration.ofHours(1);

    /** The attempts that are made at most within {@link #GIVEN_UP_AFTER}. */
    private static final int MAX_ATTEMPTS = 100;

    /**
     * Returns when the next attempt is due after one more failed.
     *
     * @param asked the pause that the receiver asked for; it is followed up to an hour
     * @return empty if the message is to be given up
     */
    public Optional<Instant> nextAfter(Instant now, Duration asked) {
        Duration pause = made < PAUSES.size() ? PAUSES.get(made) : LAST_PAUSE;
        Duration followed = asked.compareTo(MAX_ASKED_PAUSE) > 0 ? MAX_ASKED_PAUSE : asked;
        Instant next = now.plus(pause.compareTo(followed) > 0 ? pause : followed);
        // A clock that ran ahead when the first attempt was made says nothing of the time since.
        boolean over = ClockRule.isTooFarAhead(since, Duration.ZERO, now)
                ? made >= MAX_ATTEMPTS
                : next.isAfter(since.plus(GIVEN_UP_AFTER));
        return over ? Optional.empty() : Optional.of(next);
    }
}
