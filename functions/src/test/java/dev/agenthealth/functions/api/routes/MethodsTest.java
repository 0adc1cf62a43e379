package dev.agenthealth.functions.api.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent.RequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestContext;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods that a path does not take, OPTIONS, HEAD, and a slash at the end of a path. */
class MethodsTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    DELETE | /api/v1/agents                          | GET, HEAD, POST, OPTIONS
                    PUT    | /api/v1/agents/agent_1                  | GET, HEAD, PATCH, DELETE, OPTIONS
                    GET    | /api/v1/agents/agent_1/heartbeat        | POST, OPTIONS
                    PATCH  | /api/v1/heartbeats                      | POST, OPTIONS
                    GET    | /mcp                                    | POST, OPTIONS
                    DELETE | /mcp/                                   | POST, OPTIONS
                    PUT    | /p/token                                | GET, HEAD, POST, OPTIONS
                    DELETE | /p/token/fail/                          | GET, HEAD, POST, OPTIONS
                    GET    | /a2a/agents/agent_1                     | POST, OPTIONS
                    HEAD   | /a2a/agents/agent_1/tasks/task_1        | GET, POST, OPTIONS
                    PUT    | /a2a/agents/agent_1/tasks               | GET, POST, OPTIONS
                    TRACE  | /                                       | GET, HEAD, OPTIONS
                    POST   | /agents/agent_1/.well-known/agent-health | GET, HEAD, OPTIONS
                    GET    | /v1/otlp/v1/traces                      | POST, OPTIONS
                    POST   | /v1/admin/keys/key_1                    | PATCH, DELETE, OPTIONS
                    get    | /api/v1/ping                            | GET, HEAD, OPTIONS
                    """)
    void a_method_that_a_path_does_not_take_gets_405_with_those_that_it_takes(
            String method, String path, String allowed) {
        Response refused = system.api().request(method, path).send();
        assertThat(refused.status()).isEqualTo(405);
        assertThat(refused.header("Allow")).isEqualTo(allowed);
        if (!method.equals("HEAD")) {
            assertThat(refused.json().path("error").textValue()).isEqualTo("method_not_allowed");
        }
        Response options = system.api().request("OPTIONS", path).send();
        assertThat(options.status()).isEqualTo(204);
        assertThat(options.header("Allow")).isEqualTo(allowed);
        assertThat(options.text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/agents", "/api/v1/me", "/v1/admin/keys", "/api/v1/health", "/metrics"})
    void head_has_the_status_and_the_headers_of_get_without_a_body(String path) {
        system.sweep().passes(TestContext.of("SweepFunction"));
        Response get = system.api().get(path).key(TestSystem.ADMINISTRATOR_KEY).send();
        Response head =
                system.api().head(path).key(TestSystem.ADMINISTRATOR_KEY).send();
        assertThat(get.status()).isEqualTo(200);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.event().getHeaders()).isEqualTo(get.event().getHeaders());
        assertThat(head.text()).isEmpty();
        assertThat(system.api().head(path).send().status()).isEqualTo(401);
    }

    @Test
    void head_reads_what_its_caller_may_read_and_no_more() {
        TestAgent.registered(system, "agent_1");
        assertThat(system.api()
                        .head("/api/v1/agents/agent_1")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(system.api()
                        .get("/api/v1/agents/agent_1")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send()
                        .status());
        assertThat(system.api()
                        .head("/api/v1/agents/agent_1")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(system.api()
                        .head("/api/v1/agents/agent_1/")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(system.api()
                        .head("/v1/admin/keys")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(403);
    }

    @Test
    void a_heartbeat_and_a_ping_with_a_slash_at_the_end_count() {
        TestAgent agent = TestAgent.registered(system, "agent_1");
        system.clock().advanceSeconds(30);
        Response heartbeat = system.api()
                .post("/api/v1/agents/agent_1/heartbeat/")
                .key(TestSystem.AGENT_KEY)
                .send();
        assertThat(heartbeat.status()).as(heartbeat.text()).isEqualTo(200);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        String url = system.api()
                .post("/api/v1/agents/agent_1/ping-url/")
                .key(TestSystem.AGENT_KEY)
                .domain("agents.example.com")
                .send()
                .json()
                .path("ping_url")
                .textValue();
        String path = url.substring("https://agents.example.com".length());
        system.clock().advanceSeconds(30);
        assertThat(system.api().get(path + "/").send().status()).isEqualTo(200);
        assertThat(system.api()
                        .post(path + "/start/")
                        .send()
                        .json()
                        .path("received")
                        .textValue())
                .isEqualTo("start");
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/agents/agent_1/heartbeat/, 404",
        "POST, /api/v1/agents/agent_1/heartbeat//, 404",
        "POST, /api/v1/agents/agent_1/nothing, 404",
        "OPTIONS, /api/v1/agents/agent_1/nothing, 404",
        "OPTIONS, /api/v1/agents/agent_1/heartbeat, 204"
    })
    void an_event_without_a_route_finds_that_of_its_path(String method, String path, int status) {
        APIGatewayV2HTTPEvent event = APIGatewayV2HTTPEvent.builder()
                .withVersion("2.0")
                .withRouteKey("ANY /api/{proxy+}")
                .withRawPath(path)
                .withHeaders(Map.of("x-api-key", TestSystem.AGENT_KEY))
                .withPathParameters(Map.of("proxy", path.substring("/api/".length())))
                .withRequestContext(RequestContext.builder()
                        .withHttp(
                                RequestContext.Http.builder().withMethod(method).build())
                        .build())
                .build();
        APIGatewayV2HTTPResponse response = new HeartbeatFunction(system.wiring(Map.of())).handleRequest(event, null);
        assertThat(response.getStatusCode()).isEqualTo(status);
    }
}
