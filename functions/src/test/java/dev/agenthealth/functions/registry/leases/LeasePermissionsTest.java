package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.testkit.Permission;
import dev.agenthealth.testkit.TestTables;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The template permits every function what it needs for leases, drains and commands. */
@Tag("SYS-01")
@Tag("SYS-03")
class LeasePermissionsTest {

    private static final String HASTY =
            ",\"heartbeat_config\":{\"interval_seconds\":1,\"unhealthy_after_seconds\":2,\"dead_after_seconds\":4}";

    @Test
    void every_function_has_the_permissions_for_leases() {
        try (DeployedSystem small = new DeployedSystem();
                DeployedSystem large = new DeployedSystem()) {
            use(small, false);
            use(large, true);
            for (FunctionDefinition function : small.functions()) {
                Set<Permission> used = new TreeSet<>(small.uses(function.logicalId()));
                used.addAll(large.uses(function.logicalId()));
                assertThat(allowed(function)).as(function.logicalId()).containsAll(used);
            }
        }
    }

    private static void use(DeployedSystem system, boolean sharedOut) {
        TestApi api = system.api();
        LeaseClient leases = new LeaseClient(api);
        for (String id : new String[] {"worker", "leaver", "victim", "drainer"}) {
            register(api, id, id.equals("victim") ? HASTY : "");
        }
        JsonNode lease = granted(leases, "worker", "a", 600);
        leases.acquire(TestSystem.ADMINISTRATOR_KEY, "{\"scope\":\"none\"}");
        assertThat(leases.verify(TestSystem.ADMINISTRATOR_KEY, lease).status()).isEqualTo(200);
        for (String id : new String[] {"leaver", "victim", "drainer"}) {
            granted(leases, id, "scope-of-" + id, 600);
        }
        granted(leases, "leaver", "short", 1);
        api.get("/api/v1/agents/worker/leases")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        leases.ids("active");
        leases.events();
        post(api, "/api/v1/agents/worker/commands", "{\"command\":\"drain\"}");
        api.patch("/api/v1/agents/worker/status")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header("if-match", "*")
                .body("{\"status\":\"draining\"}")
                .send();
        assertThat(leases.release(TestSystem.ADMINISTRATOR_KEY, lease).status()).isEqualTo(204);
        for (int i = 0; i < 2; i++) {
            assertThat(post(
                                    api,
                                    "/api/v1/agents/drainer/heartbeat",
                                    "{\"status\":\"draining\",\"client_timestamp\":\""
                                            + system.clock().instant() + "\"}")
                            .status())
                    .isEqualTo(200);
        }
        api.delete("/api/v1/agents/leaver").key(TestSystem.ADMINISTRATOR_KEY).send();
        for (int i = 0; i < 3; i++) {
            system.clock().advanceSeconds(5);
            if (sharedOut) {
                system.tables().dynamoDb().updateItem(r -> r.tableName(TestTables.REGISTRY)
                        .key(Map.of("pk", AttributeValue.fromS("SYSTEM"), "sk", AttributeValue.fromS("S")))
                        .updateExpression("SET fleet = :n")
                        .expressionAttributeValues(Map.of(":n", AttributeValue.fromN("300000"))));
            }
            system.invoke("SweepFunction", "{}");
        }
        assertThat(leases.ids("active")).as("only the drainer holds one").hasSize(1);
        assertThat(leases.ids("expired")).as("of the dead agent").isNotEmpty();
    }

    private static void register(TestApi api, String id, String more) {
        assertThat(post(
                                api,
                                "/api/v1/agents",
                                "{\"agent_id\":\"" + id + "\",\"owner_key_id\":\"administrator\"" + more + "}")
                        .status())
                .isEqualTo(201);
    }

    private static JsonNode granted(LeaseClient leases, String id, String scope, int seconds) {
        TestApi.Response response = leases.acquire(TestSystem.ADMINISTRATOR_KEY, id, scope, seconds);
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response.json();
    }

    private static TestApi.Response post(TestApi api, String path, String body) {
        return api.post(path).key(TestSystem.ADMINISTRATOR_KEY).body(body).send();
    }

    private static Set<Permission> allowed(FunctionDefinition function) {
        Set<Permission> permissions = new TreeSet<>();
        function.policies().forEach(statement -> statement.actions().forEach(action -> statement
                .resources()
                .forEach(resource -> permissions.add(new Permission(action, resource)))));
        return permissions;
    }
}
