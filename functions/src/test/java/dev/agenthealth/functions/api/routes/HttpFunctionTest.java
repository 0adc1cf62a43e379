package dev.agenthealth.functions.api.routes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Sample;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses and log lines of requests, also after failures. */
class HttpFunctionTest {

    private static final String ROUTE = "GET /things/{thing_id}";

    private final MutableClock clock = MutableClock.atExampleTime();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @Test
    void an_unexpected_failure_gets_500_without_details_and_is_logged_with_them() {
        APIGatewayV2HTTPResponse response = answer(request -> {
            throw new IllegalStateException("secret detail", new RuntimeException("deeper secret"));
        });
        assertThat(response.getStatusCode()).isEqualTo(500);
        assertThat(problem(response).get("error").textValue()).isEqualTo("internal_error");
        assertThat(response.getBody()).doesNotContain("secret", "Exception");
        assertThat(logged()).hasSize(3);
        assertThat(logged().get(0).get("message").textValue()).isEqualTo("secret detail");
        assertThat(logged().get(0).get("cause").textValue()).contains("deeper secret");
        assertThat(logged().get(0).get("subject").textValue()).isEqualTo("request-1");
        assertThat(logged().get(1).get("status").intValue()).isEqualTo(500);
        assertThat(logged().get(1).get("level").textValue()).isEqualTo("ERROR");
        assertThat(logged().get(2).get("ServerErrors").intValue()).isEqualTo(1);
        assertThat(logged().get(2).get("Function").textValue()).isEqualTo("Things");
    }

    @Test
    void a_busy_storage_gets_503_with_retry_after() {
        APIGatewayV2HTTPResponse response = answer(request -> {
            throw new StorageBusyException("secret operation", new RuntimeException("secret"));
        });
        assertThat(response.getStatusCode()).isEqualTo(503);
        assertThat(response.getHeaders()).containsEntry("Retry-After", "1");
        assertThat(response.getBody()).doesNotContain("secret");
        assertThat(logged().get(logged().size() - 1).get("ServerErrors").intValue())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 429, 502, 504})
    void errors_of_callers_or_agents_are_no_server_errors(int status) {
        answer(request -> new ApiResponse(status, Map.of(), ""));
        assertThat(logged()).hasSize(1);
        assertThat(logged().get(0).get("status").intValue()).isEqualTo(status);
    }

    @Test
    void a_problem_is_a_document_of_rfc_9457() {
        APIGatewayV2HTTPResponse response = answer(request -> {
            throw ApiError.invalid(List.of(new FieldError("a", "must be b"), new FieldError("c.d[0]", "is required")));
        });
        assertThat(response.getHeaders())
                .containsEntry("Content-Type", "application/problem+json")
                .containsEntry("Cache-Control", "no-store");
        assertThat(problem(response))
                .isEqualTo(
                        Json.stored(
                                """
                                {"type": "urn:agent-health:problem:invalid_request", "title": "Bad Request", "status": 400,
                                 "detail": "2 fields of the request are not valid.", "instance": "/things/t1",
                                 "error": "invalid_request",
                                 "errors": [{"field": "a", "message": "must be b"},
                                            {"field": "c.d[0]", "message": "is required"}]}
                                """));
        JsonNode single = problem(answer(request -> {
            throw ApiError.invalid(List.of(new FieldError("a", "must be b")));
        }));
        assertThat(single.get("detail").textValue()).isEqualTo("'a' must be b.");
    }

    @Test
    void every_problem_has_the_title_of_its_status() {
        Map<ApiError, String> titles = Map.ofEntries(
                Map.entry(ApiError.malformed("x"), "Bad Request"),
                Map.entry(AccessError.unauthenticated(), "Unauthorized"),
                Map.entry(ApiError.forbidden("x"), "Forbidden"),
                Map.entry(AgentError.unknownAgent("x"), "Not Found"),
                Map.entry(ApiError.conflict("x", "x"), "Conflict"),
                Map.entry(AgentError.deregistered("x", "document"), "Gone"),
                Map.entry(ApiError.outdated("x", EntityTag.ofVersion(7)), "Precondition Failed"),
                Map.entry(ApiError.tooLarge(7), "Content Too Large"),
                Map.entry(ApiError.ifMatchNeeded(), "Precondition Required"),
                Map.entry(ApiError.internal(), "Internal Server Error"),
                Map.entry(ApiError.busy(), "Service Unavailable"));
        titles.forEach((problem, title) -> {
            JsonNode document = ApiResponse.document(problem, "");
            assertThat(document.get("title").textValue()).isEqualTo(title);
            assertThat(document.get("type").textValue()).isEqualTo("urn:agent-health:problem:" + problem.error());
            assertThat(document.has("instance")).isFalse();
            assertThat(document.has("errors")).isFalse();
        });
    }

    @Test
    void a_route_of_another_function_is_not_found() {
        APIGatewayV2HTTPEvent event = event();
        event.setRouteKey("GET /elsewhere");
        APIGatewayV2HTTPResponse response =
                function(request -> ApiResponse.noContent(), false).handleRequest(event, null);
        assertThat(response.getStatusCode()).isEqualTo(404);
        assertThat(problem(response).get("error").textValue()).isEqualTo("route_not_found");
    }

    @Test
    void an_empty_event_gets_404() {
        APIGatewayV2HTTPResponse response =
                function(request -> ApiResponse.noContent(), false).handleRequest(new APIGatewayV2HTTPEvent(), null);
        assertThat(response.getStatusCode()).isEqualTo(404);
        ApiRequest nothing = new ApiRequest(new APIGatewayV2HTTPEvent());
        assertThat(nothing.body()).isEmpty();
        assertThat(nothing.apiKey()).isEmpty();
        assertThat(nothing.query("x")).isEmpty();
        assertThat(nothing.requestId()).isEmpty();
        assertThatThrownBy(() -> nothing.pathId("agent_id")).isInstanceOf(ApiError.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void every_request_is_logged_except_most_successes_of_sampled_routes(boolean frequent) {
        HttpFunction function = function(
                request -> {
                    if (request.query("fail").isEmpty()) {
                        return ApiResponse.noContent();
                    }
                    clock.advanceSeconds(2);
                    throw AgentError.unknownAgent("x");
                },
                frequent);
        function.handleRequest(event(), null);
        assertThat(logged()).as("the first one of an instance").hasSize(1);
        assertThat(logged().get(0).get("cold_start").booleanValue()).isTrue();
        function.handleRequest(event(), null);
        assertThat(logged()).hasSize(frequent ? 1 : 2);
        APIGatewayV2HTTPEvent failing = event();
        failing.setQueryStringParameters(Map.of("fail", "secret-query"));
        failing.setBody("secret-body");
        failing.setHeaders(Map.of("x-api-key", "secret-key"));
        function.handleRequest(failing, null);
        assertThat(logged().get(logged().size() - 1))
                .isEqualTo(
                        Json.stored(
                                """
                                {"timestamp":"2026-02-08T10:00:02.000Z","level":"WARN","event":"request","route":"GET /things/{thing_id}",
                                 "request_id":"request-1","status":404,"error":"agent_not_found","agent_id":"agent_1",
                                 "latency_ms":2000,"read_units":0.0,"write_units":0.0,"cold_start":false}
                                """));
    }

    @Test
    void of_sampled_routes_the_same_fraction_of_successes_is_logged() {
        Things function = new Things(wiring(), toMemory(10), request -> ApiResponse.noContent(), true);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1_000; i++) {
                APIGatewayV2HTTPEvent event = event();
                event.getRequestContext().setRequestId("request-" + i);
                function.handleRequest(event, null);
            }
        }
        List<String> sampled = logged().stream()
                .skip(1)
                .map(line -> line.get("request_id").textValue())
                .toList();
        assertThat(Set.copyOf(sampled)).hasSizeBetween(70, 130);
        assertThat(sampled.size() - Set.copyOf(sampled).size())
                .isBetween(Set.copyOf(sampled).size() - 1, Set.copyOf(sampled).size());
    }

    @Test
    void only_a_valid_id_is_logged_as_agent_id() {
        APIGatewayV2HTTPEvent event = event();
        event.setPathParameters(Map.of("agent_id", "secret text of a caller"));
        function(request -> ApiResponse.noContent(), false).handleRequest(event, null);
        assertThat(logged().get(0).has("agent_id")).isFalse();
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("secret");
    }

    @Test
    void a_route_is_declared_once() {
        Routes routes = new Routes().on(ROUTE, Access.PUBLIC, request -> ApiResponse.noContent());
        assertThat(routes.keys()).containsExactly(ROUTE);
        assertThatThrownBy(() -> routes.on(ROUTE, Access.PUBLIC, request -> ApiResponse.noContent()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private APIGatewayV2HTTPResponse answer(Function<ApiRequest, ApiResponse> answer) {
        return function(answer, false).handleRequest(event(), null);
    }

    private HttpFunction function(Function<ApiRequest, ApiResponse> answer, boolean frequent) {
        return new Things(wiring(), toMemory(1_000_000), answer, frequent);
    }

    private Log toMemory(int sampleOneIn) {
        return new Log(clock, new PrintStream(log, true, StandardCharsets.UTF_8), "a-stack", new Sample(sampleOneIn));
    }

    private Wiring wiring() {
        return Wiring.of(Map.of(
                        "ADMIN_KEY_SHA256", KeyHash.ofKey("administrator").hex(), "NOTE_KEY_USES", "false"))
                .clock(clock)
                .build();
    }

    /** A function with one route. */
    private static final class Things extends HttpFunction {

        Things(Wiring wiring, Log log, Function<ApiRequest, ApiResponse> answer, boolean sampled) {
            super(
                    wiring,
                    log,
                    new Database(
                            null,
                            new Tables("pulses", "registry"),
                            wiring.clock(),
                            wiring.pause(),
                            wiring.storageMeter()));
            Route.Option[] options = sampled ? new Route.Option[] {Route.Option.SAMPLED} : new Route.Option[0];
            routes().on(ROUTE, Access.PUBLIC, answer, options);
        }
    }

    private static APIGatewayV2HTTPEvent event() {
        return APIGatewayV2HTTPEvent.builder()
                .withRouteKey(ROUTE)
                .withRawPath("/things/t1")
                .withPathParameters(Map.of("thing_id", "t1", "agent_id", "agent_1"))
                .withRequestContext(APIGatewayV2HTTPEvent.RequestContext.builder()
                        .withRequestId("request-1")
                        .build())
                .build();
    }

    private List<JsonNode> logged() {
        List<JsonNode> lines = new ArrayList<>();
        log.toString(StandardCharsets.UTF_8).lines().forEach(line -> lines.add(Json.stored(line)));
        return lines;
    }

    private static JsonNode problem(APIGatewayV2HTTPResponse response) {
        assertThat(response.getHeaders()).containsEntry("Content-Type", "application/problem+json");
        return Json.stored(response.getBody());
    }
}
