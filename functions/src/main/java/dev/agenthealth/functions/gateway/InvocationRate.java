package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.invocations.CallerLimitStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.gateway.CallerLimit;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;

/** Limits how often a key invokes agents. A change of the configured limit applies within a minute. Thread-safe. */
final class InvocationRate {

    private final CallerLimitStore callers;
    private final CachedConfiguration limits;

    InvocationRate(CallerLimitStore callers, CachedConfiguration limits) {
        this.callers = callers;
        this.limits = limits;
    }

    /**
     * Takes one invocation from the limit of a caller.
     *
     * @throws ApiError 429 if the limit is used up
     */
    void take(Caller caller) {
        CallerLimit limit = limits.current().configuration().invocations();
        Duration wait = callers.take(caller.keyId(), limit);
        if (!wait.isZero()) {
            throw ApiError.rateLimited(
                    "This key may invoke agents " + limit.perSecond() + " times a second, and " + limit.burst()
                            + " times at once.",
                    "invocations",
                    limit.burst(),
                    limit.window(),
                    wait);
        }
    }
}
