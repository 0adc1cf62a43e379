package dev.agenthealth.functions.api.routes;

import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.PresentedCredential;
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
 * Requests that were refused because of who sent them: all are counted, and the audit log has some, so that their sender cannot fill it. Thread-safe.
 */
final class RefusedRequests {

    /** Between two entries with a cause by one instance of a function. */
    static final Duration PAUSE = Duration.ofMinutes(1);

    private final Database database;
    private final Authenticator authenticator;
    private final Clock clock;
    private final Log log;
    private final Map<Cause, Instant> recordedAt = new EnumMap<>(Cause.class);

    /** The reason for the refusal. */
    enum Cause implements WireNamed {
        /** A key that is not valid, on a route of administrators, or after too many wrong keys. */
        KEY,
        /** A token that is not valid, or to whose holder nothing is granted. */
        TOKEN,
        /** A valid key from an address that it is not for. */
        ADDRESS,
        /** A valid key or token without the role, on a route of administrators, or a key that is limited to other actions. */
        ROLE,
        /** A valid key or token on an agent that it may not act on. */
        AGENT
    }

    RefusedRequests(Database database, Authenticator authenticator, Clock clock, Log log) {
        this.database = database;
        this.authenticator = authenticator;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Counts a request, and records it where none with its cause was recorded for a minute.
     *
     * @param error the code of the problem that it was answered with
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
            case ApiError.TOO_MANY_WRONG_KEYS -> Optional.of(Cause.KEY);
            case ApiError.ADDRESS_NOT_ALLOWED -> Optional.of(Cause.ADDRESS);
            case ApiError.ACTION_NOT_ALLOWED -> Optional.of(Cause.ROLE);
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
            // What looks its caller up by itself, or is refused meanwhile, has left it in the cache.
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
