package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.registry.lifecycle.Pulse;

/**
 * The {@code incarnation} in a request: the registration that its sender knows of. A process that was replaced learns by it that it must stop.
 */
public final class NamedIncarnation {

    private NamedIncarnation() {}

    /** The incarnation in these fields, from 1; {@link Pulse#ANY_INCARNATION} where there is none. */
    public static long in(Fields body) {
        long named = body.wholeNumber("incarnation").orElse(Pulse.ANY_INCARNATION);
        if (body.has("incarnation") && named < 1) {
            body.refuse("incarnation", "must be a whole number of at least 1");
        }
        return named;
    }

    /**
     * Refuses a request of another incarnation than the current one.
     *
     * @throws ApiError 410 {@code superseded}
     */
    public static void check(Pulse pulse, long named) {
        if (!pulse.isCurrent(named)) {
            throw ApiError.superseded(pulse.agentId(), named, pulse.incarnation());
        }
    }
}
