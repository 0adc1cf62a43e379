package dev.agenthealth.functions.routes;

import dev.agenthealth.functions.access.Access;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.access.PresentedCredential;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Requests that were refused because of who sent them: all are counted, and the audit log has some, so that their sender cannot fill it. Thread-safe.
 */
final class RefusedRequests {

    /** Between two entries with a cause by one instance of a function. */
    static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Set<String> OF_TOKENS = Set.of("invalid_token", "not_granted");

    private final Database database;
    private final Authenticator authenticator;
    private final Clock clock;
    private final Log log;
    private final Map<Cause, Instant> recordedAt = new EnumMap<>(Cause.class);

    /** What was wrong. */
    enum Cause implements WireNamed {
        /** A key that is not valid, on a route of administrators. */
        KEY,
        /** A token that is not valid, or to whose holder nothing is granted. */
        TOKEN,
        /** A valid key or token without the role, on a route of administrators. */
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
        if (OF_TOKENS.contains(error)) {
            return Optional.of(Cause.TOKEN);
        }
        if (status == 401) {
            return Optional.of(Cause.KEY)
                    .filter(cause -> ofAdministrators && !request.apiKey().isEmpty());
        }
        return Optional.of(ofAdministrators ? Cause.ROLE : Cause.AGENT)
                .filter(cause -> error.equals(Problem.FORBIDDEN))
                .filter(cause -> ofAdministrators || !request.agentId().isEmpty());
    }

    private synchronized boolean isDue(Cause cause) {
        Instant now = clock.instant();
        boolean due = !now.isBefore(recordedAt.getOrDefault(cause, Instant.MIN));
        if (due) {
            recordedAt.put(cause, now.plus(PAUSE));
        }
        return due;
    }

    private void record(Cause cause, Route route, ApiRequest request, String error) {
        AuditObject object =
                cause == Cause.AGENT ? AuditObject.agent(request.agentId()) : new AuditObject("route", route.key());
        try {
            AuditStore.write(
                    database,
                    AuditEntry.refused(
                            request.author(caller(cause, request)),
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

    /** Heartbeats look their caller up by themselves, after which it is cached. */
    private Optional<Caller> caller(Cause cause, ApiRequest request) {
        return request.knownCaller().or(() -> cause == Cause.AGENT
                ? Optional.of(authenticator.caller(PresentedCredential.of(request)))
                : Optional.empty());
    }
}
