package dev.agenthealth.model;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The pauses between attempts to deliver something to a receiver. The rule decides only when the next attempt is due: a queue or a stored time starts
 * it. Changes and requests of the storage, in contrast, are repeated at once.
 *
 * @param pauses the pauses after the first failed attempts, in order
 * @param last the pause after each later failed attempt; empty if no attempt follows
 * @param maxAsked the longest pause that a receiver may ask for
 */
public record RetryPauses(List<Duration> pauses, Optional<Duration> last, Duration maxAsked) {

    public RetryPauses {
        pauses = List.copyOf(pauses);
    }

    /** Returns pauses with one more attempt than there are pauses. */
    public static RetryPauses of(Duration maxAsked, Duration... pauses) {
        return new RetryPauses(List.of(pauses), Optional.empty(), maxAsked);
    }

    /**
     * Returns the pause before the next attempt: the pause of the rule, or the pause that the receiver asks for if it is longer.
     *
     * @param failed the number of failed attempts, at least 1
     * @param asked the pause that the receiver asks for; zero if it asks for none
     * @return the pause; empty if no attempt follows
     */
    public Optional<Duration> after(int failed, Duration asked) {
        Optional<Duration> usual = failed <= pauses.size() ? Optional.of(pauses.get(failed - 1)) : last;
        Duration followed = longer(asked, maxAsked) ? maxAsked : asked;
        return usual.map(pause -> longer(followed, pause) ? followed : pause);
    }

    private static boolean longer(Duration one, Duration other) {
        return one.compareTo(other) > 0;
    }
}
