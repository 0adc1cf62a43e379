package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The people and coordinators of the demo. They declare how many agents a role needs, hold leases, block an agent, silence a role during
 * maintenance, and acknowledge a problem. Not thread-safe.
 */
public final class DemoOperator {

    private static final Duration ACTION_INTERVAL = Duration.ofSeconds(5);

    /** The minimum number of agents per pool. The demo has two fraud checkers, so that their pool is below its minimum. */
    private static final Map<String, Integer> MINIMUMS =
            Map.of("billing-processor", 2, "fraud-checker", 3, "support", 3, "document-reader", 2);

    private static final Map<String, String> LEASES =
            Map.of("billing-1", "invoice-4711", "billing-2", "invoice-4712", "support-1", "ticket-815");

    private static final String BLOCKED = "assistant-2";
    private static final String MAINTAINED_ROLE = "researcher";
    private static final String ACKNOWLEDGED = DemoHistory.DEPLOYED;
    private static final int LEASE_SECONDS = 600;

    private final RegistryHttp administrator;
    private Instant nextActionAt;
    private boolean acknowledged;

    /** @param administrator the registry with an administrator's key */
    public DemoOperator(RegistryHttp administrator, Instant now) {
        this.administrator = administrator;
        this.nextActionAt = now;
    }

    /** Prepares everything that needs no agent. */
    public void prepare() {
        ObjectNode workflow = json();
        ObjectNode agents = workflow.putObject("agents");
        MINIMUMS.forEach(
                (role, minimum) -> agents.putObject(role).putObject("pool").put("min_instances", minimum));
        administrator.put("/api/v1/workflows/demo", workflow);
        administrator.post(
                "/v1/admin/agents/" + BLOCKED + "/block", json().put("reason", "Its answers are under review."));
        ObjectNode silence =
                json().put("reason", "The researchers get a new model.").put("for_seconds", 3_600);
        silence.putObject("scope").put("role_id", MAINTAINED_ROLE);
        administrator.put("/v1/admin/silences/new-model", silence);
    }

    /** Does the due actions every 5 s: renews the leases, and acknowledges the problems of a deployment once they exist. */
    public void act(Instant now) {
        if (now.isBefore(nextActionAt)) {
            return;
        }
        nextActionAt = now.plus(ACTION_INTERVAL);
        LEASES.forEach((agentId, intentId) -> administrator.post(
                "/api/v1/intents/" + intentId + "/leases",
                json().put("agent_id", agentId).put("scope", "work").put("duration_seconds", LEASE_SECONDS)));
        if (!acknowledged) {
            administrator
                    .get("/api/v1/problems?agent_id=" + ACKNOWLEDGED)
                    .json()
                    .path("problems")
                    .forEach(this::acknowledge);
        }
    }

    private void acknowledge(JsonNode problem) {
        String path = "/api/v1/problems/" + problem.path("problem_id").asText() + "/acknowledge";
        acknowledged |= administrator
                        .post(
                                path,
                                json().put("note", "Rolling back the deployment.")
                                        .put("for_seconds", 14_400))
                        .status()
                == 200;
    }

    private static ObjectNode json() {
        return JsonNodeFactory.instance.objectNode();
    }
}
