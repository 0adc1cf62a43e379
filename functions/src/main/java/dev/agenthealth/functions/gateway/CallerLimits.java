package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.invocations.CallerLimitStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;

/** Limits how often each caller may invoke agents. A change of the configured limit applies within a minute. Thread-safe. */
final class CallerLimits {

    private final CallerLimitStore store;
    private final CachedConfiguration<CallerLimit> configured;

    CallerLimits(CallerLimitStore store, CachedConfiguration<CallerLimit> configured) {
        this.store = store;
        this.configured = configured;
    }

    /**
     * Takes one invocation from the caller's limit.
     *
     * @throws Problem 429 if none is left
     */
    void take(Caller caller) {
        CallerLimit limit = configured.current();
        Duration wait = store.take(caller.keyId(), limit);
        if (!wait.isZero()) {
            throw Problem.tooManyRequests(
                    "This key may invoke agents " + limit.perSecond() + " times a second, and " + limit.burst()
                            + " times at once.",
                    wait);
        }
    }
}
