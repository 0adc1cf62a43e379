package dev.agenthealth.functions.operations.problems;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.NotificationFunction;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.ProblemId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Problems that arise from events, as the bus delivers them, and what callers do about them. */
final class ProblemHarness implements AutoCloseable {

    final TestSystem system = new TestSystem();
    private int sequence;

    /** An event now; returns its body, which can be delivered again. */
    String event(String type, String fields) {
        sequence++;
        String body =
                """
                {"source":"agent-health","detail-type":"%s","detail":{"type":"%s","event_id":"e%d","timestamp":"%s","sequence":%d,%s}}
                """
                        .formatted(type, type, sequence, system.clock().instant(), sequence, fields);
        deliver(body);
        return body;
    }

    String lifecycle(String agentId, String roleId, String status, String reason) {
        return event(
                "agent.lifecycle",
                """
                        "agent_id":"%s","role_id":"%s","previous_status":"active","new_status":"%s","reason":"%s",\
                        "severity":"%s"\
                        """
                        .formatted(agentId, roleId, status, reason, status.equals("dead") ? "error" : "warning"));
    }

    void dies(String agentId, String roleId) {
        lifecycle(agentId, roleId, "dead", "heartbeat_timeout");
    }

    void deliver(String body) {
        system.sqs().client().sendMessage(r -> r.queueUrl(TestSystem.NOTIFICATIONS.get("NOTIFICATION_QUEUE_URL"))
                .messageBody(body));
    }

    /** Reads the events that were delivered. */
    void run() {
        assertThat(new NotificationFunction(system.wiring(TestSystem.NOTIFICATIONS))
                        .handleRequest(Map.of(), null)
                        .failures())
                .isZero();
    }

    void runAfter(long seconds) {
        system.clock().advanceSeconds(seconds);
        run();
    }

    /** The subject's problem, as an administrator reads it. */
    JsonNode problem(String subject) {
        Response response = system.api()
                .get("/api/v1/problems/" + ProblemId.of(subject))
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }

    String state(String subject) {
        return problem(subject).path("state").asText();
    }

    /** The summaries of a list. */
    List<String> list(String key, String... query) {
        List<String> summaries = new ArrayList<>();
        Request request = system.api().get("/api/v1/problems").key(key);
        for (int i = 0; i < query.length; i += 2) {
            request.query(query[i], query[i + 1]);
        }
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        response.json()
                .path("problems")
                .forEach(problem -> summaries.add(problem.path("summary").asText()));
        return summaries;
    }

    Response post(String key, String subject, String what, String body) {
        return system.api()
                .post("/api/v1/problems/" + ProblemId.of(subject) + "/" + what)
                .key(key)
                .body(body)
                .send();
    }

    @Override
    public void close() {
        system.close();
    }
}
