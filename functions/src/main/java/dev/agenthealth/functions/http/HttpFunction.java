package dev.agenthealth.functions.http;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.StorageBusyException;
import java.time.Clock;

/**
 * A Lambda function behind the HTTP API: finds the route's answer and turns every refusal into a problem document.
 *
 * <p>Nothing that goes wrong inside reaches a caller but as 500 or 503 without details; the log has them under the request's
 * id.
 */
public abstract class HttpFunction implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

    private final Clock clock;
    private final Log log;

    protected HttpFunction(Clock clock, Log log) {
        this.clock = clock;
        this.log = log;
    }

    /** The routes this function answers. */
    public abstract RouteTable routes();

    @Override
    public final APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        long startedAt = clock.millis();
        ApiRequest request = new ApiRequest(event);
        ApiResponse response = answer(request);
        if (response.status() >= 400 || !isFrequent(request)) {
            log.request(request.routeKey(), request.requestId(), response.status(), clock.millis() - startedAt);
        }
        return response.toEvent();
    }

    /** Whether a line for each success would cost more than the request itself. */
    protected boolean isFrequent(ApiRequest request) {
        return false;
    }

    private ApiResponse answer(ApiRequest request) {
        try {
            return routes().answer(request);
        } catch (Problem problem) {
            return ApiResponse.problem(problem, request.path());
        } catch (StorageBusyException e) {
            log.failure("storage_busy", request.requestId(), e);
            return ApiResponse.problem(Problem.busy(), request.path());
        } catch (RuntimeException e) {
            log.failure("request_failed", request.requestId(), e);
            return ApiResponse.problem(Problem.internal(), request.path());
        }
    }
}
