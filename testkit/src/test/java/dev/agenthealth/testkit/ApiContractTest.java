package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiContractTest {

    private static final String REQUEST = "{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:30:00.000Z\"}";

    private static ObjectNode answer() {
        ObjectNode answer = TestJson.object()
                .put("acknowledged", true)
                .put("server_timestamp", "2026-02-08T10:30:00.000Z")
                .put("agent_status", "active")
                .put("incarnation", 1);
        answer.putArray("pending_commands");
        return answer;
    }

    private static List<String> faults(String body, int status, String answer, Map<String, String> query) {
        return ApiContract.faultsOf(new ApiExchange(
                "POST /api/v1/agents/{agent_id}/heartbeat",
                new ApiExchange.Request("/api/v1/agents/agent_1/heartbeat", query, Map.of(), body),
                new ApiExchange.Answer(
                        status,
                        Map.of("Content-Type", status < 400 ? "application/json" : "application/problem+json"),
                        answer)));
    }

    private static List<String> faultsOfAnswer(Consumer<ObjectNode> change) {
        ObjectNode answer = answer();
        change.accept(answer);
        return faults(REQUEST, 200, TestJson.text(answer), Map.of());
    }

    private static String problem(int status, String code) {
        return TestJson.text(TestJson.object()
                .put("type", "urn:agent-health:problem:" + code)
                .put("title", "A title")
                .put("status", status)
                .put("detail", "A sentence.")
                .put("error", code));
    }

    @Test
    void an_exchange_as_described_has_no_faults() {
        assertThat(faultsOfAnswer(answer -> {})).isEmpty();
        assertThat(faults("", 200, TestJson.text(answer()), Map.of())).isEmpty();
        assertThat(faults(REQUEST, 410, problem(410, "agent_gone"), Map.of())).isEmpty();
    }

    @Test
    void a_field_of_an_answer_that_is_missing_unknown_or_of_another_form_is_a_fault() {
        assertThat(faultsOfAnswer(answer -> answer.remove("incarnation"))).hasSize(1);
        assertThat(faultsOfAnswer(answer -> answer.put("surprise", 1))).hasSize(1);
        assertThat(faultsOfAnswer(answer -> answer.put("agent_status", "sleeping")))
                .hasSize(1);
        assertThat(faultsOfAnswer(answer -> answer.put("server_timestamp", "now")))
                .hasSize(1);
        assertThat(faultsOfAnswer(answer ->
                        answer.withArray("pending_commands").addObject().put("command", "drain")))
                .hasSize(1);
    }

    @Test
    void an_undescribed_status_code_or_header_is_a_fault() {
        assertThat(faults(REQUEST, 418, "{}", Map.of())).hasSize(1);
        assertThat(faults(REQUEST, 404, problem(404, "lease_not_found"), Map.of()))
                .hasSize(1);
        assertThat(faults(REQUEST, 410, problem(410, "agent_not_found"), Map.of()))
                .hasSize(1);
        assertThat(faults(REQUEST, 401, problem(401, "unauthenticated"), Map.of()))
                .containsExactly("the header WWW-Authenticate is missing");
    }

    @Test
    void an_accepted_request_with_an_undescribed_field_or_parameter_is_a_fault() {
        String answer = TestJson.text(answer());
        assertThat(faults("{\"status\":\"active\"}", 200, answer, Map.of())).hasSize(1);
        assertThat(faults(REQUEST, 200, answer, Map.of("surprise", "1")))
                .containsExactly("the parameter surprise is not described");
    }

    @Test
    void a_refused_request_may_have_any_form() {
        assertThat(faults("no JSON", 400, problem(400, "malformed_request"), Map.of("surprise", "1")))
                .isEmpty();
        ObjectNode warned = answer();
        warned.putArray("warnings").addObject().put("field", "client_timestamp").put("message", "cannot be read");
        assertThat(faults("{\"status\":\"active\",\"client_timestamp\":7}", 200, TestJson.text(warned), Map.of()))
                .isEmpty();
    }

    @Test
    void a_shared_code_may_answer_every_request() {
        assertThat(faults(REQUEST, 503, problem(503, "temporarily_unavailable"), Map.of()))
                .containsExactly("the header Retry-After is missing");
        assertThat(faults(REQUEST, 500, problem(500, "internal_error"), Map.of()))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/agents/a/heartbeat, POST /api/v1/agents/{agent_id}/heartbeat",
        "/api/v1/heartbeats, POST /api/v1/heartbeats",
        "/api/v1/agents//heartbeat, ''",
        "/elsewhere, ''"
    })
    void a_request_is_found_by_its_path(URI path, String routeKey) {
        assertThat(ApiDescription.ofProject()
                        .find("POST", path.getPath())
                        .map(ApiDescription.Operation::routeKey)
                        .orElse(""))
                .isEqualTo(routeKey);
    }
}
