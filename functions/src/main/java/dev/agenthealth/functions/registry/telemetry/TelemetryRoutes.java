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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** The routes of spans in OTLP, and of the mappings of their names. */
public final class TelemetryRoutes {

    /** The route of spans. Exporters are configured with {@code /v1/otlp}. */
    public static final String TRACES = "POST /v1/otlp/v1/traces";

    private static final String MAPPINGS = "/api/v1/telemetry/mappings";
    private static final int THREADS = 16;

    private final TelemetryIntake intake;
    private final SpanMappings mappings;

    public TelemetryRoutes(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        Executor executor =
                wiring.storageMeter().propagating(Executors.newFixedThreadPool(THREADS, DaemonThreads.named("spans")));
        Registration registration = Registration.in(wiring, database, authenticator, log);
        this.intake = new TelemetryIntake(
                database,
                new AutoRegistration(database, registration, wiring.clock()),
                new DeclaredSigns(database, wiring.clock(), log),
                executor,
                wiring.clock());
        this.mappings = new SpanMappings(database, wiring.clock());
    }

    public void addTo(Routes routes) {
        routes.on(TRACES, ANY_KEY, this::take, SAMPLED, OWN_LIFE)
                .on("GET " + MAPPINGS, ANY_KEY, mappings::list, QUERY)
                .on("PUT " + MAPPINGS, ANY_KEY, mappings::put)
                .on("DELETE " + MAPPINGS + "/{mapping_id}", ANY_KEY, mappings::remove)
                .on("PUT /api/v1/telemetry/settings", ANY_KEY, mappings::configure);
    }

    private ApiResponse take(ApiRequest request) {
        OtlpEncoding encoding = OtlpEncoding.of(request);
        try {
            Rejections rejections = intake.take(request.caller(), encoding.spans(TelemetryBody.of(request)));
            return rejections.message().isEmpty()
                    ? encoding.success()
                    : encoding.partialSuccess(rejections.count(), rejections.message());
        } catch (UnreadableSpansException e) {
            throw ApiError.malformed(e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can always be read", e);
        }
    }

    /**
     * Returns a refusal of spans, in the encoding of the request, as OTLP demands. A client that sent neither encoding gets JSON.
     *
     * @param contentType the content type of the request; empty for none
     */
    public static ApiResponse refused(ApiError problem, String contentType) {
        return OtlpEncoding.find(contentType).orElse(OtlpEncoding.JSON).refusal(problem);
    }
}
