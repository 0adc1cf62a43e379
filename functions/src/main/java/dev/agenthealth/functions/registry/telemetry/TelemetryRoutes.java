package dev.agenthealth.functions.registry.telemetry;

import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.routes.Route.Option.OWN_LIFE;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.Registration;
import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.registry.telemetry.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The routes of spans and log records in OTLP, and of the mappings of their names. */
public final class TelemetryRoutes {

    /** The route of spans. Exporters are configured with {@code /v1/otlp}. */
    public static final String TRACES = "POST /v1/otlp/v1/traces";

    /** The route of log records. */
    public static final String LOGS = "POST /v1/otlp/v1/logs";

    private static final String MAPPINGS = "/api/v1/telemetry/mappings";
    private static final int THREADS = 16;

    private final TelemetryIntake intake;
    private final EvaluationIntake evaluations;
    private final SpanMappings mappings;

    public TelemetryRoutes(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        AgentTasks tasks = new AgentTasks(wiring.storageMeter().propagating(DaemonThreads.pool(THREADS, "spans")));
        Registration registration = Registration.in(wiring, database, authenticator, log);
        this.intake = new TelemetryIntake(
                database,
                new AutoRegistration(database, registration, wiring.clock()),
                new DeclaredSigns(database, wiring.clock(), log),
                tasks,
                wiring.clock());
        this.evaluations = new EvaluationIntake(database, tasks, wiring.clock());
        this.mappings = new SpanMappings(database, wiring.clock());
    }

    public void addTo(Routes routes) {
        routes.on(TRACES, ANY_KEY, this::takeSpans, SAMPLED, OWN_LIFE)
                .on(LOGS, ANY_KEY, this::takeLogs, SAMPLED, OWN_LIFE)
                .on("GET " + MAPPINGS, ANY_KEY, mappings::list, QUERY)
                .on("PUT " + MAPPINGS, ANY_KEY, mappings::put)
                .on("DELETE " + MAPPINGS + "/{mapping_id}", ANY_KEY, mappings::remove)
                .on("PUT /api/v1/telemetry/settings", ANY_KEY, mappings::configure);
    }

    private ApiResponse takeSpans(ApiRequest request) {
        OtlpEncoding encoding = OtlpEncoding.of(request);
        Rejections rejections = intake.take(request.caller(), read(encoding, OtlpSignal.TRACES, request));
        return rejections.message().isEmpty()
                ? encoding.success()
                : encoding.partialSuccess(OtlpSignal.TRACES, rejections.count(), rejections.message());
    }

    private ApiResponse takeLogs(ApiRequest request) {
        OtlpEncoding encoding = OtlpEncoding.of(request);
        UnusedRecords unused = evaluations.take(request.caller(), read(encoding, OtlpSignal.LOGS, request));
        return unused.count() == 0
                ? encoding.success()
                : encoding.partialSuccess(OtlpSignal.LOGS, unused.count(), unused.message());
    }

    private static List<Span> read(OtlpEncoding encoding, OtlpSignal signal, ApiRequest request) {
        try {
            return encoding.read(signal, TelemetryBody.of(request));
        } catch (UnreadableSpansException e) {
            throw ApiError.malformed(e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can always be read", e);
        }
    }

    /** Returns whether a route takes a signal of OTLP, so that its refusals have the form that OTLP demands. */
    public static boolean isOtlp(String routeKey) {
        return routeKey.equals(TRACES) || routeKey.equals(LOGS);
    }

    /**
     * Returns a refusal of spans or log records, in the encoding of the request, as OTLP demands. A client that sent neither encoding gets JSON.
     *
     * @param contentType the content type of the request; empty for none
     */
    public static ApiResponse refused(ApiError problem, String contentType) {
        return OtlpEncoding.find(contentType).orElse(OtlpEncoding.JSON).refusal(problem);
    }
}
