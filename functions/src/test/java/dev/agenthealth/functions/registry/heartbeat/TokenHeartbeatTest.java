package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.TestTokens;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Heartbeats of workloads, which have a new token every hour and no key. */
class TokenHeartbeatTest {

    private static final String GRANTS =
            """
            [{'claim':'sub','value':'system:serviceaccount:billing:*','role':'agent','owner':'billing','provider_ids':['acme']},
             {'claim':'sub','value':'system:serviceaccount:sales:*','role':'agent','owner':'sales'},
             {'claim':'sub','value':'ada','role':'administrator'}]
            """;

    @AutoClose
    private final TestSystem system = new TestSystem();

    @BeforeEach
    void configure() {
        TestTokens.configure(system.api(), "cluster", GRANTS, TestTokens.EC);
    }

    private ObjectNode claims(String account) {
        return TestTokens.claims(
                "system:serviceaccount:" + account, system.clock().instant());
    }

    private String token(String account) {
        return TestTokens.token(claims(account).put("jti", account), TestTokens.EC);
    }

    private static Request with(String token, Request request) {
        return request.header("authorization", "Bearer " + token);
    }

    private Response register(String token) {
        Response response = with(token, system.api().post("/api/v1/agents"))
                .body("{\"agent_id\":\"a1\"}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return response;
    }

    private Response heartbeat(String token) {
        return with(token, system.api().post("/api/v1/agents/a1/heartbeat")).send();
    }

    private void assertCosts(String token, String... operations) {
        system.meter().reset();
        assertThat(heartbeat(token).status()).isEqualTo(200);
        assertThat(system.meter().operations()).containsExactly(operations);
    }

    @Test
    void a_workload_registers_an_agent_of_its_owner_with_the_provider_that_is_granted() {
        Response response = register(token("billing:worker"));
        assertThat(response.json().path("owner_key_id").asText()).isEqualTo("workload_billing");
        assertThat(response.json().path("provider_id").asText()).isEqualTo("acme");
    }

    @Test
    void a_heartbeat_with_the_same_token_is_one_write_and_no_read() {
        String token = token("billing:worker");
        register(token);
        assertCosts(token, "Query", "UpdateItem");
        assertCosts(token, "UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(1);
        assertThat(system.meter().readUnits()).isZero();
    }

    @Test
    void a_new_token_of_the_owner_moves_to_the_row() {
        register(token("billing:worker"));
        String next = token("billing:replica");
        assertThat(heartbeat(next).status()).isEqualTo(200);
        assertCosts(next, "UpdateItem");
    }

    @Test
    void an_expired_token_gets_401_although_the_row_has_it() {
        String token = token("billing:worker");
        register(token);
        assertThat(heartbeat(token).status()).isEqualTo(200);
        system.clock().advanceSeconds(361);
        Response late = heartbeat(token);
        assertThat(late.status()).isEqualTo(401);
        assertThat(late.json().path("detail").asText()).isEqualTo("The token has expired.");
        assertThat(heartbeat(token("billing:worker")).status()).isEqualTo(200);
    }

    @Test
    void a_batch_with_an_expired_token_gets_401() {
        String token = token("billing:worker");
        register(token);
        system.clock().advanceSeconds(361);
        assertThat(with(token, system.api().post("/api/v1/heartbeats"))
                        .body("{\"heartbeats\":[{\"agent_id\":\"a1\"}]}")
                        .send()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void a_token_of_another_owner_or_person_or_of_no_grant_gets_403() {
        register(token("billing:worker"));
        assertThat(heartbeat(token("sales:worker")).status()).isEqualTo(403);
        assertThat(heartbeat(token("other:worker")).json().path("error").asText())
                .isEqualTo("not_granted");
        ObjectNode person = TestTokens.claims("ada", system.clock().instant());
        assertThat(heartbeat(TestTokens.token(person, TestTokens.EC)).status()).isEqualTo(403);
    }

    @Test
    void a_token_that_nothing_signed_gets_401_although_its_claims_are_right() {
        String token = token("billing:worker");
        register(token);
        String forged = TestTokens.token(claims("billing:worker"), TestTokens.OTHER_EC);
        assertThat(heartbeat(forged).status()).isEqualTo(401);
        assertThat(heartbeat(token.substring(0, token.lastIndexOf('.') + 1)).status())
                .isEqualTo(401);
    }

    @Test
    void a_deleted_provider_ends_heartbeats_within_a_minute() {
        String token = token("billing:worker");
        register(token);
        assertThat(heartbeat(token).status()).isEqualTo(200);
        assertThat(system.api()
                        .delete("/v1/admin/identity-providers/cluster")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        system.clock().advanceSeconds(60);
        assertThat(heartbeat(token).status()).isEqualTo(401);
    }

    @Test
    void an_agent_moves_from_a_key_to_workloads_and_back() {
        assertThat(system.api()
                        .post("/api/v1/agents")
                        .key(TestSystem.AGENT_KEY)
                        .body("{\"agent_id\":\"a1\"}")
                        .send()
                        .status())
                .isEqualTo(201);
        assertThat(transfer("workload_unknown")).isEqualTo(400);
        assertThat(transfer("workload_billing")).isEqualTo(200);
        assertThat(system.api()
                        .post("/api/v1/agents/a1/heartbeat")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(403);
        assertThat(heartbeat(token("billing:worker")).status()).isEqualTo(200);
        assertThat(transfer(TestSystem.keyId(TestSystem.AGENT_KEY))).isEqualTo(200);
        assertThat(heartbeat(token("billing:worker")).status()).isEqualTo(403);
    }

    private int transfer(String owner) {
        return system.api()
                .put("/v1/admin/agents/a1/owner")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"key_id\":\"" + owner + "\"}")
                .send()
                .status();
    }
}
