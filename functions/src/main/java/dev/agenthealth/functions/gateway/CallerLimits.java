package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.CallerLimitStore;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Lets each caller invoke agents as often as the runtime configuration says, of which a change is heard within a minute. Thread-safe. */
final class CallerLimits {

    private static final Duration MEMORY = Duration.ofSeconds(60);

    private final CallerLimitStore store;
    private final CallerLimit seed;
    private final Clock clock;
    private CallerLimit remembered;
    private Instant until = Instant.MIN;

    /**
     * @param seed what holds where the configuration says nothing
     */
    CallerLimits(CallerLimitStore store, CallerLimit seed, Clock clock) {
        this.store = store;
        this.seed = seed;
        this.clock = clock;
        this.remembered = seed;
    }

    /**
     * Takes one invocation off the caller's limit.
     *
     * @throws Problem 429 where nothing is left
     */
    void take(Caller caller) {
        CallerLimit limit = current();
        Duration wait = store.take(caller.keyId(), limit);
        if (!wait.isZero()) {
            throw Problem.tooManyRequests(
                    "This key may invoke agents " + limit.perSecond() + " times a second, and " + limit.burst()
                            + " times at once.",
                    wait);
        }
    }

    private synchronized CallerLimit current() {
        Instant now = clock.instant();
        if (!now.isBefore(until)) {
            remembered = store.limit(seed);
            until = now.plus(MEMORY);
        }
        return remembered;
    }
}
