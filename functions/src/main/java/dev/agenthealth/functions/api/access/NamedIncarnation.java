package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.lifecycle.Pulse;

/**
 * Checks the {@code incarnation} of a request, which is the registration that the sender expects. By this check a replaced process learns
 * that it must stop.
 */
public final class NamedIncarnation {

    private NamedIncarnation() {}

    /** Returns the incarnation in these fields, 1 or higher; {@link Pulse#ANY_INCARNATION} if the fields have none. */
    public static long in(Fields body) {
        long named = body.wholeNumber("incarnation").orElse(Pulse.ANY_INCARNATION);
        if (body.has("incarnation") && named < 1) {
            body.refuse("incarnation", "must be a whole number of at least 1");
        }
        return named;
    }

    /**
     * Refuses a request that names an incarnation other than the current one.
     *
     * @throws ApiError 410 {@code superseded}
     */
    public static void check(Pulse pulse, long named) {
        if (!pulse.isCurrent(named)) {
            throw AgentError.superseded(pulse.agentId(), named, pulse.incarnation());
        }
    }
}
