package dev.agenthealth.functions.http;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.observation.AnsweredRequest;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.observation.StorageUse;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.snapshot.RuntimeJson;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.wiring.Wiring;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A Lambda function behind the HTTP API: finds the route's answer and turns every refusal into a problem document.
 *
 * <p>Nothing that goes wrong inside reaches a caller but as 500 or 503 without details; the log has them under the request's
 * id. Each request is a line of the log: every failure, the first request of an instance, and of what is asked for frequently a sample.
 */
public abstract class HttpFunction implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

    private static final int INTERNAL_ERROR = 500;
    private static final int UNAVAILABLE = 503;

    /**
     * Before the invocation ends, nothing is begun any more for so long, but for the record of how a called agent's invocation ended: a call of
     * the storage takes less, and there is time to answer.
     */
    private static final Duration MIN_TIME = Duration.ofSeconds(3);

    private final Clock clock;
    private final Log log;
    private final String name = getClass().getSimpleName();
    private final ThrottleWatch throttles;
    private final AtomicBoolean cold = new AtomicBoolean(true);

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    /**
     * @param log where each request is told, and what goes wrong
     */
    @SuppressWarnings("this-escape") // Nobody primes before the function is made.
    protected HttpFunction(Wiring wiring, Log log) {
        this.clock = wiring.clock();
        this.log = log;
        this.throttles = new ThrottleWatch(name, wiring.storageMeter(), log);
        this.priming = Priming.registered(
                wiring,
                log,
                new Priming.Part("event", this::rehearseEvent),
                new Priming.Part("request", this::rehearseRequest));
    }

    /** The routes this function answers. */
    public abstract RouteTable routes();

    @Override
    public final APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        long startedAt = clock.millis();
        ApiRequest request = new ApiRequest(event);
        StorageMeter.Tally tally = new StorageMeter.Tally(end(context));
        Answer answer = throttles.during(tally, () -> answer(request));
        tell(request, answer, clock.millis() - startedAt, tally.use());
        return isForEveryPage(request)
                ? answer.response().with("Access-Control-Allow-Origin", "*").toEvent()
                : answer.response().toEvent();
    }

    /** From when on nothing is begun any more for this request; never where nobody limits the invocation. */
    private Instant end(Context context) {
        return context == null
                ? Instant.MAX
                : clock.instant().plusMillis(context.getRemainingTimeInMillis()).minus(MIN_TIME);
    }

    /** The request with which this function is primed. */
    protected abstract WarmUpRequest rehearsal();

    private void rehearseEvent() {
        APIGatewayV2HTTPEvent event = rehearsal().decoded();
        RuntimeJson.bytes(
                APIGatewayV2HTTPResponse.class,
                refusal(Problem.unauthenticated(), new ApiRequest(event))
                        .response()
                        .toEvent());
    }

    private void rehearseRequest() {
        ApiRequest request = new ApiRequest(rehearsal().event());
        Answer answer = throttles.during(() -> answer(request));
        if (answer.response().toEvent().getStatusCode() >= INTERNAL_ERROR) {
            throw new IllegalStateException(
                    "the rehearsal was answered " + answer.response().status());
        }
    }

    /** A response and the code of the refusal, if it is one. */
    private record Answer(ApiResponse response, String error) {}

    private void tell(ApiRequest request, Answer answer, long latencyMillis, StorageUse use) {
        int status = answer.response().status();
        boolean first = cold.getAndSet(false);
        if (status >= 400 || first || !isFrequent(request) || log.samples(request.requestId())) {
            log.request(new AnsweredRequest(
                    request.routeKey(),
                    request.requestId(),
                    status,
                    answer.error(),
                    request.agentId(),
                    request.callerId(),
                    latencyMillis,
                    use,
                    first));
        }
        if (status == INTERNAL_ERROR || status == UNAVAILABLE) {
            log.metric(Metric.SERVER_ERRORS, 1, name);
        }
    }

    /** Whether a line for each success would cost more than the request itself: then one in many is told. */
    protected boolean isFrequent(ApiRequest request) {
        return false;
    }

    /** Whether scripts of any web page may read the answer: where everybody may, without a key. */
    protected boolean isForEveryPage(ApiRequest request) {
        return false;
    }

    private Answer answer(ApiRequest request) {
        try {
            return new Answer(routes().answer(request), "");
        } catch (Problem problem) {
            return refusal(problem, request);
        } catch (StorageBusyException e) {
            log.failure("storage_busy", request.requestId(), e);
            return refusal(Problem.busy(), request);
        } catch (RuntimeException e) {
            log.failure("request_failed", request.requestId(), e);
            return refusal(Problem.internal(), request);
        }
    }

    private static Answer refusal(Problem problem, ApiRequest request) {
        return new Answer(ApiResponse.problem(problem, request.path()), problem.error());
    }
}
