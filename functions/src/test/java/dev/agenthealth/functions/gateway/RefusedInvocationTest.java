package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TableContents;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A refused invocation calls no agent and records nothing. Of several reasons the first in the specification's order is reported. */
@Tag("SN-04")
@Tag("SN-07")
class RefusedInvocationTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    private ScriptedServer server;

    @BeforeEach
    void open() {
        server = gateway.server().plays(AgentScripts.message());
    }

    @Test
    void blocking_and_unblocking_an_agent_or_its_provider_applies_immediately() {
        gateway.agent("a", server);
        gateway.agent("b", server);
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        gateway.block("agents/a");
        assertRefused("a", 403, "agent_blocked");
        assertThat(gateway.invoke("b", GatewayHarness.HELLO).status()).isEqualTo(200);
        gateway.block("providers/" + GatewayHarness.PROVIDER);
        assertRefused("a", 403, "provider_blocked");
        assertRefused("b", 403, "provider_blocked");
        gateway.unblock("providers/" + GatewayHarness.PROVIDER);
        assertRefused("a", 403, "agent_blocked");
        assertThat(gateway.invoke("b", GatewayHarness.HELLO).status()).isEqualTo(200);
        gateway.unblock("agents/a");
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).status()).isEqualTo(200);
        assertThat(server.connections()).isEqualTo(4);
    }

    @Test
    void callers_do_not_see_the_reason_of_a_block() {
        gateway.agent("a", server);
        gateway.block("agents/a");
        assertThat(gateway.invoke("a", GatewayHarness.HELLO).text()).doesNotContain("under review");
    }

    @Test
    void the_first_reason_is_reported() {
        TestAgent agent = gateway.agent("a", "http://10.0.0.1/", "");
        gateway.block("agents/a");
        gateway.block("providers/" + GatewayHarness.PROVIDER);
        assertThat(agent.deregister().status()).isEqualTo(204);
        assertRefused("a", 403, "provider_blocked");
        gateway.unblock("providers/" + GatewayHarness.PROVIDER);
        assertRefused("a", 403, "agent_blocked");
        gateway.unblock("agents/a");
        assertRefused("a", 409, "agent_not_active");
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertRefused("a", 409, "agent_not_active");
        gateway.agent("a", "http://10.0.0.1/", "");
        assertRefused("a", 502, "endpoint_not_allowed");
        gateway.agent("b", server);
        patch("b", "{\"kind\":\"mcp_server\"}");
        assertRefused("b", 409, "not_an_agent");
        patch("b", "{\"kind\":null,\"endpoint\":null}");
        assertRefused("b", 409, "agent_has_no_endpoint");
        assertRefused("unknown", 404, "agent_not_found");
    }

    @Test
    void draining_dead_and_deregistered_agents_are_not_called() {
        TestAgent draining = gateway.agent("draining", server);
        assertThat(draining.drain(gateway.system().api()).status()).isEqualTo(200);
        assertRefused("draining", 409, "agent_not_active");
        TestAgent dead = gateway.agent("dead", server);
        dead.becomeDead();
        assertRefused("dead", 409, "agent_not_active");
        assertThat(dead.register(",\"endpoint\":\"" + GatewayHarness.endpoint(server) + "\"")
                        .status())
                .isEqualTo(201);
        assertThat(gateway.invoke("dead", GatewayHarness.HELLO).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://169.254.169.254/latest/meta-data/",
                "https://10.0.0.1/",
                "https://[::ffff:127.0.0.1]/",
                "https://[fd00:ec2::254]/",
                "http://93.184.215.14/",
                "https://billing_agent.example/"
            })
    void an_endpoint_with_a_forbidden_address_or_name_is_not_called_even_in_a_local_run(String endpoint) {
        gateway.agent("a", endpoint, "");
        assertRefused("a", 502, "endpoint_not_allowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:%d/",
                "https://127.0.0.1:%d/",
                "http://agent.test:%d/",
                "https://agent.test:%d/",
                "http://[::1]:%d/"
            })
    void a_deployed_system_does_not_call_endpoints_on_its_own_machine(String endpoint) {
        gateway.agent("a", endpoint.formatted(server.port()), "");
        TestApi deployed = gateway.deployed();
        Set<Map<String, AttributeValue>> before = contents();
        Response refused = GatewayHarness.invoke(deployed, "a", GatewayHarness.HELLO);
        assertThat(refused.status()).isEqualTo(502);
        assertThat(refused.json().path("error").asText()).isEqualTo("endpoint_not_allowed");
        assertThat(refused.text()).doesNotContain("127.0.0.1", "agent.test", "::1");
        assertThat(contents()).isEqualTo(before);
        assertThat(server.connections()).isZero();
    }

    @Test
    void without_a_valid_key_only_401_is_reported() {
        gateway.agent("a", server);
        gateway.block("agents/a");
        for (String path : List.of("/v1/agents/a/invoke", "/v1/agents/unknown/invoke-async", "/v1/agents/!/invoke")) {
            assertThat(gateway.api().post(path).body("not json").send().status())
                    .isEqualTo(401);
            assertThat(gateway.api()
                            .post(path)
                            .key("unknown-key")
                            .body("not json")
                            .send()
                            .status())
                    .isEqualTo(401);
        }
        assertThat(gateway.api().get("/v1/receipts/rcpt_1").send().status()).isEqualTo(401);
    }

    @Test
    void beyond_the_caller_s_limit_only_429_is_reported() {
        for (int i = 0; i < 20; i++) {
            assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(404);
        }
        assertThat(gateway.invoke("unknown", "not json").status())
                .as("what cannot be read takes nothing from the limit")
                .isEqualTo(400);
        Response refused = gateway.invoke("unknown", GatewayHarness.HELLO);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().path("error").asText()).isEqualTo("rate_limited");
        assertThat(refused.json().path("title").asText()).isEqualTo("Too Many Requests");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.header("RateLimit-Policy")).isEqualTo("\"invocations\";q=20;w=2");
        assertThat(refused.header("RateLimit")).isEqualTo("\"invocations\";r=0;t=1");
        assertThat(gateway.invokeAsync("unknown", GatewayHarness.HELLO).status())
                .isEqualTo(429);
        assertThat(gateway.api()
                        .post("/v1/agents/unknown/invoke")
                        .key(TestSystem.COORDINATOR_KEY)
                        .body(GatewayHarness.HELLO)
                        .send()
                        .status())
                .as("the limit is per caller")
                .isEqualTo(404);
        gateway.system().clock().advance(Duration.ofMillis(100));
        assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(404);
        assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(429);
    }

    @Test
    void a_changed_limit_applies_within_a_minute() {
        assertThat(gateway.invoke("unknown", GatewayHarness.HELLO).status()).isEqualTo(404);
        TestApi.Request change = gateway.system().api().put("/v1/admin/configuration");
        assertThat(change.key(TestSystem.ADMINISTRATOR_KEY)
                        .body(
                                """
                                {"sweep_passes_per_minute":1,"sweep_fan_out_agents":200000,
                                 "mass_silence":{"minimum_agents":50,"silent_percent":55,"death_percent_per_minute":10},
                                 "invocations":{"per_second":1,"burst":2,"max_in_flight":5},
                                 "default_window_seconds":86400,"max_agents_per_key":20000,"max_watched_agents_per_key":1000,"public_catalogue":false}
                                """)
                        .send()
                        .status())
                .isEqualTo(200);
        gateway.system().clock().advanceSeconds(60);
        gateway.system().addKey("fresh", Role.AGENT, Set.of());
        List<Integer> statuses = IntStream.range(0, 4)
                .mapToObj(i -> gateway.api()
                        .post("/v1/agents/unknown/invoke")
                        .key("fresh")
                        .body(GatewayHarness.HELLO)
                        .send()
                        .status())
                .toList();
        assertThat(statuses).containsExactly(404, 404, 429, 429);
    }

    private void assertRefused(String agentId, int status, String error) {
        int calls = server.connections();
        int messages = gateway.system().sqs().messages().size();
        Set<Map<String, AttributeValue>> before = contents();
        for (Response refused : List.of(
                gateway.invoke(agentId, GatewayHarness.HELLO), gateway.invokeAsync(agentId, GatewayHarness.HELLO))) {
            assertThat(refused.status()).as(refused.text()).isEqualTo(status);
            assertThat(refused.json().path("error").asText()).isEqualTo(error);
            assertThat(refused.json().has("receipt_id")).isFalse();
            assertThat(refused.text()).doesNotContain("127.0.0.1", "169.254", "10.0.0.1", "agent.test", "secret");
        }
        assertThat(server.connections()).as("no agent was called").isEqualTo(calls);
        assertThat(gateway.system().sqs().messages()).hasSize(messages);
        assertThat(contents()).as("nothing was recorded").isEqualTo(before);
        gateway.system().clock().advanceSeconds(10);
    }

    /** All stored items except the callers' used limits and the slots of calls. */
    private Set<Map<String, AttributeValue>> contents() {
        return TableContents.of(gateway.system().tables()).items().stream()
                .filter(item -> item.get("pk") == null
                        || !item.get("pk").s().startsWith("L#")
                                && !item.get("pk").s().startsWith("N#"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    private void patch(String agentId, String body) {
        assertThat(gateway.system()
                        .api()
                        .patch("/api/v1/agents/" + agentId)
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body(body)
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
