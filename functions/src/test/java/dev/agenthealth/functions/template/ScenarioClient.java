package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestTables;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the parts of a {@link Scenario} do again and again: requests with one key for all agents, passing minutes, sweeps. */
final class ScenarioClient {

    static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;
    private final DeployedSystem system;
    private final TestApi api;
    private final boolean divided;
    private final Set<String> reportedActions = new HashSet<>();
    private String agentKey = "";

    /**
     * @param divided whether the sweep divides its passes among workers
     */
    ScenarioClient(DeployedSystem system, TestApi api, boolean divided) {
        this.system = system;
        this.api = api;
        this.divided = divided;
    }

    /** Uses this key for agents from now on. */
    void actAs(String key) {
        agentKey = key;
    }

    String agentKey() {
        return agentKey;
    }

    void configure(int massSilenceAgents) {
        int fanOut = divided ? 1_000 : 200_000;
        expect(
                200,
                api.put("/v1/admin/configuration")
                        .key(ADMIN)
                        .body(
                                """
                                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":%d,
                                 "mass_silence":{"minimum_agents":%d,"silent_percent":55,"death_percent_per_minute":10},
                                 "invocations":{"per_second":10,"burst":20,"max_in_flight":5},
                                 "default_window_seconds":86400,"max_agents_per_key":20000,"max_watched_agents_per_key":1000,"public_catalogue":false}
                                """
                                        .formatted(fanOut, massSilenceAgents)));
        system.clock().advanceSeconds(60);
    }

    /** Advances the clock by a minute, sends a heartbeat of the agent and sweeps. */
    void minute(String active) {
        system.clock().advanceSeconds(60);
        sendHeartbeat(active, "active", "");
        sweep();
    }

    void measure() {
        JsonNode numbers = Json.stored(system.invoke("MeasurementFunction", "{}"));
        assertThat(numbers.path("failed").asInt(-1)).as(numbers.toString()).isZero();
        assertThat(numbers.path("computed").asInt() + numbers.path("published").asInt())
                .as(numbers.toString())
                .isPositive();
    }

    void sweep() {
        if (divided) {
            system.tables().dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                    .key(Map.of("pk", AttributeValue.fromS("SYSTEM"), "sk", AttributeValue.fromS("S")))
                    .updateExpression("SET fleet = :f")
                    .expressionAttributeValues(Map.of(":f", AttributeValue.fromN("3000"))));
        }
        JsonNode passes = Json.stored(system.invoke("SweepFunction", "{}"));
        passes.forEach(pass -> {
            assertThat(pass.path("failed").asInt()).as(passes.toString()).isZero();
            pass.fieldNames().forEachRemaining(name -> {
                if (pass.path(name).asLong() > 0) {
                    reportedActions.add(name);
                }
            });
        });
    }

    JsonNode key(String role) {
        Response issued = api.post("/v1/admin/keys")
                .key(ADMIN)
                .body("{\"role\":\"" + role + "\",\"provider_ids\":[\"p\"]}")
                .send();
        assertThat(issued.status()).isEqualTo(201);
        return issued.json();
    }

    void register(String agentId, String more) {
        expect(201, registration(agentId, more));
    }

    Request registration(String agentId, String more) {
        return api.post("/api/v1/agents")
                .key(agentKey)
                .body("{\"agent_id\":\"" + agentId + "\"" + (more.isEmpty() ? "" : "," + more) + "}");
    }

    Request drain(String agentId, int seconds) {
        return api.patch("/api/v1/agents/" + agentId + "/status")
                .key(agentKey)
                .header("if-match", "*")
                .body("{\"status\":\"draining\",\"drain_timeout_seconds\":" + seconds + "}");
    }

    void sendHeartbeat(String agentId, String status, String more) {
        expect(200, heartbeat(agentId, status, more));
    }

    Request heartbeat(String agentId, String status, String more) {
        return api.post("/api/v1/agents/" + agentId + "/heartbeat")
                .key(agentKey)
                .body("{\"status\":\"" + status + "\",\"client_timestamp\":\""
                        + system.clock().instant() + "\"" + more + "}");
    }

    String status(String agentId) {
        return api.get("/api/v1/agents/" + agentId)
                .key(ADMIN)
                .send()
                .json()
                .path("status")
                .asText();
    }

    static void expect(int status, Request request) {
        Response response = request.send();
        assertThat(response.status()).as(response.text()).isEqualTo(status);
    }

    /** The names of the figures that were above 0 in any pass. */
    Set<String> reportedActions() {
        return Set.copyOf(reportedActions);
    }
}
