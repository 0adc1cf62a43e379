package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.testkit.TestDynamoDb;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers are granted to keys, and the gateway looks at the blocks of all of them (ServiceNet, Blocking and unblocking). */
@Tag("SN-06")
class GrantedProvidersTest {

    private static final String KEY_ID = "key-" + TestSystem.AGENT_KEY;
    private static final String KEY = "/v1/admin/keys/" + KEY_ID;

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private final TestSystem system = gateway.system();

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "'', -, 201, -",
                "'', acme, 403, -",
                "acme, acme, 201, acme",
                "acme, -, 201, acme",
                "acme, other, 403, -",
                "acme other, other, 201, other",
                "acme other, -, 400, -"
            })
    void an_agent_names_a_provider_that_its_owner_was_granted(
            String granted, String named, int status, String provider) {
        grant(granted.isEmpty() ? new String[0] : granted.split(" "));
        TestAgent agent = new TestAgent(system, "agent");
        Response answer = agent.register(named == null ? "" : ",\"provider_id\":\"" + named + "\"");
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        if (status == 201) {
            assertThat(answer.json().path("provider_id").textValue()).isEqualTo(provider);
            assertThat(agent.stored().profile().description().providerId()).isEqualTo(provider == null ? "" : provider);
        } else {
            assertThat(new AgentStore(system.database()).find("agent")).isEmpty();
        }
        if (status == 400) {
            assertThat(answer.json().findValuesAsText("field")).containsExactly("provider_id");
        }
    }

    @Test
    void a_change_names_a_granted_provider_too_and_leaves_others_alone() {
        grant("acme", "other");
        TestAgent agent = new TestAgent(system, "agent");
        agent.register(",\"provider_id\":\"acme\"");
        assertThat(agent.change("{\"provider_id\":\"third\"}").status()).isEqualTo(403);
        assertThat(agent.change("{\"provider_id\":null}").status()).isEqualTo(400);
        assertThat(agent.change("{\"provider_id\":\"other\"}").status()).isEqualTo(200);
        grant("acme");
        assertThat(agent.change("{\"name\":\"n\",\"provider_id\":\"other\"}").status())
                .as("it stays as it is")
                .isEqualTo(200);
        assertThat(agent.change("{\"provider_id\":null}")
                        .json()
                        .path("provider_id")
                        .textValue())
                .isEqualTo("acme");
    }

    @Test
    void grants_of_the_owner_count_and_not_those_of_the_administrator_that_registers() {
        grant("acme");
        for (String provider : List.of("acme", "other")) {
            Response answer = system.api()
                    .post("/api/v1/agents")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{\"agent_id\":\"a\",\"owner_key_id\":\"" + KEY_ID + "\",\"provider_id\":\"" + provider
                            + "\"}")
                    .send();
            assertThat(answer.status()).isEqualTo(provider.equals("acme") ? 201 : 409);
        }
        assertThat(new TestAgent(system, "a")
                        .change("{\"provider_id\":\"other\"}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void an_agent_is_transferred_to_keys_that_are_granted_its_provider_only() {
        grant("acme");
        new TestAgent(system, "agent").register(",\"provider_id\":\"acme\"");
        String other = "key-" + TestSystem.OTHER_AGENT_KEY;
        change("/v1/admin/keys/" + other, "{\"provider_ids\":[\"other\"]}");
        Response refused = transfer(other);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").asText()).isEqualTo("provider_not_granted");
        change("/v1/admin/keys/" + other, "{\"provider_ids\":[\"other\",\"acme\"]}");
        assertThat(transfer(other).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme", "other"})
    void a_block_of_any_provider_of_the_owner_stops_calls(String blocked) {
        grant("acme", "other");
        gatewayAgent("acme");
        assertThat(gateway.invoke("agent", GatewayHarness.HELLO).status()).isEqualTo(200);
        block(blocked);
        Response refused = gateway.invoke("agent", GatewayHarness.HELLO);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("error").asText()).isEqualTo("provider_blocked");
        assertThat(gateway.invokeAsync("agent", GatewayHarness.HELLO).status()).isEqualTo(403);
    }

    @Test
    void no_change_of_the_provider_escapes_a_block_whenever_it_comes() {
        grant("acme", "other");
        TestAgent agent = gatewayAgent("acme");
        block("acme");
        for (int at = 0; at < 12; at++) {
            AtomicInteger left = new AtomicInteger(at);
            String provider = at % 2 == 0 ? "other" : "acme";
            // An administrator may change the provider of a blocked one; the call is refused all the same.
            Response refused = GatewayHarness.invoke(
                    gateway.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
                        if (left.getAndDecrement() == 0) {
                            assertThat(renamed(agent, provider)).isEqualTo(200);
                        }
                    })),
                    "agent",
                    GatewayHarness.HELLO);
            assertThat(refused.json().path("error").asText())
                    .as("before request " + at)
                    .isEqualTo("provider_blocked");
            system.clock().advanceSeconds(1);
        }
    }

    private TestAgent gatewayAgent(String provider) {
        TestAgent agent = new TestAgent(system, "agent");
        String endpoint = GatewayHarness.endpoint(gateway.server().plays(AgentScripts.message()));
        assertThat(agent.register(",\"provider_id\":\"" + provider + "\",\"endpoint\":\"" + endpoint + "\"")
                        .status())
                .isEqualTo(201);
        return agent;
    }

    private int renamed(TestAgent agent, String provider) {
        return system.api()
                .patch("/api/v1/agents/" + agent.id())
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header("if-match", "*")
                .body("{\"provider_id\":\"" + provider + "\"}")
                .send()
                .status();
    }

    private void block(String provider) {
        Block block = Block.NONE
                .blocked("why", Instant.MAX, "administrator", system.clock().instant())
                .orElseThrow();
        assertThat(new BlockStore(system.database()).decide(new OfProvider(provider), block))
                .isTrue();
    }

    private void grant(String... providers) {
        String ids = providers.length == 0 ? "" : "\"" + String.join("\",\"", Set.of(providers)) + "\"";
        change(KEY, "{\"provider_ids\":[" + ids + "]}");
    }

    private void change(String path, String body) {
        assertThat(system.api()
                        .patch(path)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private Response transfer(String keyId) {
        return system.api()
                .put("/v1/admin/agents/agent/owner")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"key_id\":\"" + keyId + "\"}")
                .send();
    }
}
