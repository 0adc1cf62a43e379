package dev.agenthealth.functions.api.routes;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.TokenCipher;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.AnsweredRequest;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.observation.StorageUse;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.snapshot.Priming;
import dev.agenthealth.functions.runtime.snapshot.RuntimeJson;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.system.PageTokenKey;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A Lambda function behind the HTTP API or a function URL. It finds the route, authenticates the caller as the route declares, and converts
 * every refusal into a problem document.
 *
 * <p>The function answers an internal failure with 500 or 503 without details, and logs the details under the request's id. The log has a
 * line for each request. For routes that are {@link Route.Option#SAMPLED}, the log has each failure, the first request of an instance and a
 * sample of the successes.
 */
public abstract class HttpFunction implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

    private static final int INTERNAL_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    /** The codes of problems with a status of 500 or higher that the registry itself does not cause. */
    private static final Set<String> OF_OTHERS = Set.of(AgentError.UNRESPONSIVE, AccessError.PROVIDER_UNAVAILABLE);

    /** The time reserved for the response, which is longer than a storage call. Only the end of an invocation is still recorded within it. */
    private static final Duration RESERVED = Duration.ofSeconds(3);

    private final Wiring wiring;
    private final Clock clock;
    private final Log log;
    private final Database database;
    private final Authenticator authenticator;
    private final TokenCipher tokenCipher;
    private final OriginSecret originSecret;
    private final RefusedRequests refusedRequests;
    private final String publicUrl;
    private final boolean behindGateway;
    private final String name = getClass().getSimpleName();
    private final ThrottleMonitor throttles;
    private final AtomicBoolean cold = new AtomicBoolean(true);
    private final Routes routes = new Routes();
    private final RouteFinder finder = new RouteFinder(routes.all());

    /** The strong reference to the priming: the runtime holds only a weak reference. */
    private Priming priming;

    protected HttpFunction(Wiring wiring) {
        this(wiring, wiring.log(), Database.of(wiring));
    }

    protected HttpFunction(Wiring wiring, Log log, Database database) {
        this.wiring = wiring;
        this.clock = wiring.clock();
        this.log = log;
        this.database = database;
        this.authenticator = Authenticator.of(wiring, database);
        PageTokenKey pageKey = new PageTokenKey(database);
        this.tokenCipher = new TokenCipher(pageKey::get, pageKey::find);
        this.originSecret = OriginSecret.of(wiring);
        this.refusedRequests = new RefusedRequests(database, authenticator, clock, log);
        this.publicUrl = wiring.find(FunctionSettings.PUBLIC_URL).orElse("");
        // A process that streams is a server of its own.
        this.behindGateway = !wiring.streams();
        this.throttles = new ThrottleMonitor(name, wiring.storageMeter(), log);
    }

    protected final Log log() {
        return log;
    }

    protected final Database database() {
        return database;
    }

    protected final Authenticator authenticator() {
        return authenticator;
    }

    /** Returns the routes that this function answers. A subclass adds its routes in its constructor. */
    public final Routes routes() {
        return routes;
    }

    /** Declares the work before a snapshot: the request, and other work that the first request would wait for. */
    protected final void warmUpWith(WarmUpRequest request, Priming.Part... more) {
        List<Priming.Part> parts = new ArrayList<>(List.of(
                new Priming.Part("event", () -> warmUpEvent(request), true),
                new Priming.Part("request", () -> warmUpRequest(request), true)));
        parts.addAll(List.of(more));
        priming = Priming.registered(wiring, log, parts);
    }

    private static void warmUpEvent(WarmUpRequest warmUp) {
        ApiRequest request = new ApiRequest(warmUp.decoded());
        // The warm-up request may have no body, and its answer needs no mapper.
        Json.received("{}");
        RuntimeJson.bytes(
                APIGatewayV2HTTPResponse.class,
                ApiResponse.problem(AccessError.unauthenticated(), request.path())
                        .toEvent());
    }

    private void warmUpRequest(WarmUpRequest warmUp) {
        ApiRequest request = new ApiRequest(warmUp.event());
        int status = throttles
                .during(() -> answer(routes.find(request.routeKey()), request))
                .response()
                .toEvent()
                .getStatusCode();
        if (status >= INTERNAL_ERROR) {
            throw new IllegalStateException("the warm-up request was answered " + status);
        }
    }

    @Override
    public final APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        long startedAt = clock.millis();
        ApiRequest request = new ApiRequest(RoutedEvent.of(event, finder));
        Optional<Route> route = routes.find(request.routeKey());
        StorageMeter.Tally tally = new StorageMeter.Tally(deadline(context));
        Answer answer = throttles.during(tally, () -> noted(route, request, answerOfProxied(route, request)));
        boolean sampled = route.filter(found -> found.is(Route.Option.SAMPLED)).isPresent();
        record(request, answer, sampled, clock.millis() - startedAt, tally.use());
        countFailure(answer, context);
        ApiResponse response =
                request.method().equals("HEAD") ? answer.response().withoutBody() : answer.response();
        return route.filter(found -> found.is(Route.Option.ANY_ORIGIN)).isPresent()
                ? response.with("Access-Control-Allow-Origin", "*").toEvent()
                : response.toEvent();
    }

    /** Returns the moment after which the request starts no storage call; {@link Instant#MAX} without a context, which only tests leave out. */
    private Instant deadline(Context context) {
        return context == null
                ? Instant.MAX
                : clock.instant().plusMillis(context.getRemainingTimeInMillis()).minus(RESERVED);
    }

    /**
     * A response.
     *
     * @param error the problem's code; empty if the response is no problem
     */
    private record Answer(ApiResponse response, String error) {}

    private Answer answerOfProxied(Optional<Route> declared, ApiRequest request) {
        if (!originSecret.accepts(request)) {
            return refusal(AccessError.notThroughProxy(), request);
        }
        if (behindGateway) {
            request.namedByGateway();
        }
        if (originSecret.isSet()) {
            request.forwardedFrom(publicUrl);
        } else if (!publicUrl.isEmpty()) {
            request.servedAt(publicUrl);
        }
        return answer(declared, request);
    }

    private Answer noted(Optional<Route> route, ApiRequest request, Answer answer) {
        int status = answer.response().status();
        if (status == 401 || status == 403 || answer.error().equals(AccessError.TOO_MANY_WRONG_KEYS)) {
            route.ifPresent(found -> refusedRequests.note(found, request, status, answer.error(), recordsRefusals()));
        }
        return answer;
    }

    /** Returns whether this function may write the audit log. */
    protected boolean recordsRefusals() {
        return true;
    }

    private Answer answer(Optional<Route> declared, ApiRequest request) {
        try {
            if (declared.isEmpty()) {
                return new Answer(withoutRoute(request), "");
            }
            Route route = declared.get();
            route.admit(request, authenticator);
            request.encryptTokensWith(tokenCipher);
            ApiResponse response = route.handler().apply(request);
            request.knownCaller().ifPresent(caller -> authenticator.uses().note(caller, request.address()));
            return new Answer(response, "");
        } catch (ApiError problem) {
            return refusal(problem, request);
        } catch (StorageBusyException e) {
            log.failure("storage_busy", request.requestId(), e);
            return refusal(ApiError.busy(), request);
        } catch (RuntimeException e) {
            log.failure("request_failed", request.requestId(), e);
            return refusal(ApiError.internal(), request);
        }
    }

    /**
     * Answers OPTIONS on a path that takes other methods.
     *
     * @throws ApiError 405 with the methods of the path, 404 if the path takes no method
     */
    private ApiResponse withoutRoute(ApiRequest request) {
        Set<String> methods = RoutedEvent.namesNone(request) ? finder.methodsAt(request.path()) : Set.of();
        if (methods.isEmpty()) {
            throw ApiError.notFound("route_not_found", "There is nothing at this path.");
        }
        String allowed = String.join(", ", methods);
        if (!request.method().equals("OPTIONS")) {
            throw ApiError.methodNotAllowed(allowed);
        }
        return ApiResponse.noContent().with("Allow", allowed);
    }

    private Answer refusal(ApiError problem, ApiRequest request) {
        return new Answer(refused(problem, request), problem.error());
    }

    /** Returns the response to a refused request: a problem document, unless the function has routes of a protocol with its own form of errors. */
    protected ApiResponse refused(ApiError problem, ApiRequest request) {
        return ApiResponse.problem(problem, request.served().publicPath(request.path()));
    }

    private void record(ApiRequest request, Answer answer, boolean sampled, long latencyMillis, StorageUse use) {
        int status = answer.response().status();
        boolean first = cold.getAndSet(false);
        if (status >= 400 || first || !sampled || log.samples(request.requestId())) {
            log.request(new AnsweredRequest(
                    request.routeKey(),
                    request.requestId(),
                    status,
                    answer.error(),
                    request.agentId(),
                    request.knownCaller().map(Caller::keyId).orElse(""),
                    latencyMillis,
                    use,
                    first));
        }
    }

    /** Counts a failure for the function, and for its version: an alarm compares a new version with itself alone. */
    private void countFailure(Answer answer, Context context) {
        int status = answer.response().status();
        if (status == INTERNAL_ERROR || status == UNAVAILABLE && !OF_OTHERS.contains(answer.error())) {
            if (context != null) {
                log.metric(Metric.VERSION_SERVER_ERRORS, 1, name + ":" + context.getFunctionVersion());
            }
            log.metric(Metric.SERVER_ERRORS, 1, name);
        }
    }
}
