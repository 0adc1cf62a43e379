package dev.agenthealth.functions.api.routes;

import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.PresentedCredential;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts requests that were refused because of their sender. The audit log records only some of them, so that a sender cannot fill the log.
 * Thread-safe.
 */
final class RefusedRequests {

    /** The minimum time between two entries with the same cause, per instance of a function. */
    static final Duration PAUSE = Duration.ofMinutes(1);

    private final Database database;
    private final Authenticator authenticator;
    private final Clock clock;
    private final Log log;
    private final Map<Cause, Instant> recordedAt = new EnumMap<>(Cause.class);

    /** The reason for the refusal. */
    enum Cause implements WireNamed {
        /** An invalid key on a route of administrators, or too many wrong keys. */
        KEY,
        /** An invalid token, or a token whose holder has no grant. */
        TOKEN,
        /** A valid key from an address that the key does not allow. */
        ADDRESS,
        /** A valid key or token without the role on a route of administrators, or a key that is limited to other actions. */
        ROLE,
        /** A valid key or token that may not act on the agent. */
        AGENT
    }

    RefusedRequests(Database database, Authenticator authenticator, Clock clock, Log log) {
        this.database = database;
        this.authenticator = authenticator;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Counts a request. Records it if no request with its cause was recorded within a minute.
     *
     * @param error the code of the problem in the response
     * @param records whether this function may write the audit log
     */
    void note(Route route, ApiRequest request, int status, String error, boolean records) {
        cause(route, request, status, error).ifPresent(cause -> {
            log.metric(Metric.REFUSED_REQUESTS, 1, cause.wireName());
            if (records && isDue(cause)) {
                record(cause, route, request, error);
            }
        });
    }

    private static Optional<Cause> cause(Route route, ApiRequest request, int status, String error) {
        boolean ofAdministrators = route.access() == Access.ADMINISTRATOR;
        return switch (error) {
            case "invalid_token", "not_granted" -> Optional.of(Cause.TOKEN);
            case AccessError.TOO_MANY_WRONG_KEYS -> Optional.of(Cause.KEY);
            case AccessError.ADDRESS_NOT_ALLOWED -> Optional.of(Cause.ADDRESS);
            case AccessError.ACTION_NOT_ALLOWED -> Optional.of(Cause.ROLE);
            case ApiError.FORBIDDEN ->
                Optional.of(ofAdministrators ? Cause.ROLE : Cause.AGENT)
                        .filter(cause -> ofAdministrators || !request.agentId().isEmpty());
            default ->
                Optional.of(Cause.KEY)
                        .filter(cause -> status == 401
                                && ofAdministrators
                                && !request.apiKey().isEmpty());
        };
    }

    private synchronized boolean isDue(Cause cause) {
        Instant now = clock.instant();
        boolean due = !ClockRule.holds(recordedAt.getOrDefault(cause, Instant.MIN), PAUSE, now);
        if (due) {
            recordedAt.put(cause, now.plus(PAUSE));
        }
        return due;
    }

    private void record(Cause cause, Route route, ApiRequest request, String error) {
        try {
            boolean valid = cause != Cause.KEY && cause != Cause.TOKEN;
            // If the route itself looked up the caller, or the request was refused after the look-up, the cache still
            // holds the caller.
            Optional<Caller> caller = request.knownCaller()
                    .or(() -> valid ? authenticator.holder(PresentedCredential.of(request)) : Optional.empty());
            AuditObject object =
                    cause == Cause.AGENT ? AuditObject.agent(request.agentId()) : new AuditObject("route", route.key());
            AuditStore.write(
                    database,
                    AuditEntry.refused(
                            request.author(caller),
                            object,
                            Json.object()
                                    .put("cause", cause.wireName())
                                    .put("error", error)
                                    .put("route", route.key())));
        } catch (RuntimeException e) {
            // The answer is the same without the entry.
            log.failure("refusal_not_recorded", request.requestId(), e);
        }
    }
}
