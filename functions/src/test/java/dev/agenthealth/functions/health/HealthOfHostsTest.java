package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The document at {@code /.well-known/agent-health} of a host: that of the agent mapped to it, or of the registry itself. */
class HealthOfHostsTest {

    private static final String DOMAIN = "registry.example.com";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());
    private final Healths healths = new Healths(system);

    @ParameterizedTest
    @Tag("AHS-01")
    @ValueSource(
            strings = {
                "agent.example.com",
                "Agent.EXAMPLE.com",
                "agent.example.com:443",
                "agent.example.com.",
                "agent.example.com.:443"
            })
    void a_mapped_host_shows_its_agent_s_document(String host) {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        map("agent.example.com", "a");
        assertThat(client.read(client.ofHost().domain(host)).json()).isEqualTo(client.document(agent));
        assertThat(client.read(client.ofHost().domain(host).key(TestSystem.AGENT_KEY))
                        .json())
                .isEqualTo(client.document(agent, TestSystem.AGENT_KEY));
    }

    @ParameterizedTest
    @Tag("AHS-01")
    @ValueSource(strings = {"agent.json", "agent-card.json"})
    void a_mapped_host_shows_its_agent_s_card(String file) {
        new TestAgent(system, "a").register(",\"endpoint\":\"https://agent.example.com/a2a\"");
        map("agent.example.com", "a");
        Response card = system.api()
                .get("/.well-known/" + file)
                .domain("agent.example.com")
                .send();
        assertThat(card.status()).as(card.text()).isEqualTo(200);
        assertThat(card.text())
                .contains("https://agent.example.com/a2a")
                .isEqualTo(system.api()
                        .get("/agents/a/.well-known/" + file)
                        .domain("agent.example.com")
                        .send()
                        .text());
        Response other = system.api().get("/.well-known/" + file).domain(DOMAIN).send();
        assertThat(other.status()).isEqualTo(404);
        assertThat(other.json().path("error").asText()).isEqualTo("no_agent_card");
    }

    @ParameterizedTest
    @Tag("AHS-01")
    @ValueSource(
            strings = {
                "/.well-known/agent-health",
                "/.well-known/agent.json",
                "/.well-known/agent-card.json",
                "/agents/a/.well-known/agent-health",
                "/agents/a/.well-known/agent.json",
                "/agents/a/.well-known/agent-card.json"
            })
    void head_of_a_public_document_has_the_headers_of_get_and_no_body(String path) {
        new TestAgent(system, "a").register(",\"endpoint\":\"https://agent.example.com/a2a\"");
        map("agent.example.com", "a");
        Response whole = system.api().get(path).domain("agent.example.com").send();
        Response head = system.api().head(path).domain("agent.example.com").send();
        assertThat(whole.status()).as(whole.text()).isEqualTo(200);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        for (String header : List.of("Content-Type", "Cache-Control", "ETag", "Access-Control-Allow-Origin")) {
            assertThat(head.header(header)).as(header).isNotEmpty().isEqualTo(whole.header(header));
        }
    }

    @Test
    @Tag("AHS-01")
    void an_agent_id_in_the_query_has_priority_over_the_host() {
        TestAgent.registered(system, "a");
        TestAgent other = TestAgent.registered(system, "b");
        map("agent.example.com", "a");
        assertThat(client.read(client.ofHost().domain("agent.example.com").query("agent_id", "b"))
                        .json())
                .isEqualTo(client.document(other));
    }

    @Test
    @Tag("AHS-01")
    void a_host_shows_the_current_document_of_its_agent() {
        TestAgent agent = TestAgent.registered(system, "a");
        map("agent.example.com", "a");
        agent.deregister();
        assertThat(client.ofHost().domain("agent.example.com").send().status()).isEqualTo(410);
    }

    @ParameterizedTest
    @Tag("AHS-01")
    @ValueSource(strings = {"other.example.com", "[::1]:8080", "a b", "-", "", "agent.example.com.evil.example"})
    void a_host_that_is_not_mapped_shows_the_registry_s_own_document(String host) {
        TestAgent.registered(system, "a");
        map("agent.example.com", "a");
        JsonNode document =
                client.read(client.ofHost().domain(DOMAIN).header("host", host)).json();
        assertThat(document.path("agent_id").asText()).isEqualTo("https://" + DOMAIN + "/.well-known/agent-health");
    }

    @Test
    @Tag("AHS-01")
    @Tag("AHS-02")
    void before_the_first_computation_the_registry_s_status_is_unknown() {
        assertThat(client.read(client.ofHost().domain(DOMAIN)).json())
                .isEqualTo(
                        Json.stored(
                                """
                                {"schema_version":"0.1.0","agent_id":"https://registry.example.com/.well-known/agent-health",
                                 "timestamp":"2026-02-08T10:00:00.000Z",
                                 "health":{"status":"unknown","last_healthy_at":null,"uptime_seconds":0},
                                 "calibration":{"response_ratio":0.0,"error_ratio":0.0,"latency_p50_ms":0,"latency_p99_ms":0,
                                  "measurement_window_seconds":86400,"sample_count":0},
                                 "decay":{"calibration_trend":"stable","days_since_model_change":null,
                                  "last_capability_update":null},
                                 "extensions":{"dev.agenthealth.sources":{"gateway":0,"coordinator":0,"self":0,"telemetry":0}}}
                                """));
    }

    @Test
    @Tag("AHS-01")
    @Tag("AHS-02")
    void the_registry_s_document_shows_its_own_health() {
        Instant startedAt = system.clock().instant();
        system.clock().advanceSeconds(3_600);
        healths.computeRegistry(60, 0, startedAt);
        system.clock().advanceSeconds(30);
        assertThat(client.read(client.ofHost().domain(DOMAIN)).json())
                .isEqualTo(
                        Json.stored(
                                """
                                {"schema_version":"0.1.0","agent_id":"https://registry.example.com/.well-known/agent-health",
                                 "timestamp":"2026-02-08T11:00:30.000Z",
                                 "health":{"status":"healthy","last_healthy_at":"2026-02-08T11:00:30.000Z","uptime_seconds":3630},
                                 "calibration":{"response_ratio":1.0,"error_ratio":0.0,"latency_p50_ms":40,"latency_p99_ms":70,
                                  "measurement_window_seconds":86400,"sample_count":60},
                                 "decay":{"calibration_trend":"stable","days_since_model_change":null,
                                  "last_capability_update":"2026-02-08T10:00:00.000Z"},
                                 "extensions":{"dev.agenthealth.measured_at":"2026-02-08T11:00:00.000Z",
                                  "dev.agenthealth.sources":{"gateway":0,"coordinator":0,"self":60,"telemetry":0}}}
                                """));
    }

    @Test
    @Tag("AHS-01")
    void a_registry_without_computations_for_five_minutes_is_unknown() {
        Instant startedAt = system.clock().instant();
        healths.computeRegistry(60, 0, startedAt);
        system.clock().advanceSeconds(300);
        assertThat(ownHealth().path("status").asText()).isEqualTo("healthy");
        system.clock().advanceSeconds(1);
        assertThat(ownHealth())
                .isEqualTo(
                        Json.stored(
                                """
                                {"status":"unknown","last_healthy_at":"2026-02-08T10:00:00.000Z","uptime_seconds":301}
                                """));
    }

    @Test
    @Tag("AHS-01")
    void only_the_request_s_host_and_api_gateway_s_domain_name_are_used() {
        TestAgent.registered(system, "a");
        map("agent.example.com", "a");
        for (String proto : List.of("https", "http,https", "http, https")) {
            JsonNode document = client.read(client.ofHost()
                            .domain(DOMAIN)
                            .header("x-forwarded-proto", proto)
                            .header("x-forwarded-host", "agent.example.com")
                            .header("forwarded", "host=agent.example.com"))
                    .json();
            assertThat(document.path("agent_id").asText()).isEqualTo("https://" + DOMAIN + "/.well-known/agent-health");
        }
    }

    @ParameterizedTest
    @Tag("AHS-01")
    @CsvSource({"localhost:8080,localhost:8080", "127.0.0.1:41233,127.0.0.1:41233", "a\"b,d.example", "'',d.example"})
    void without_https_the_registry_uses_the_url_of_the_request(String host, String named) {
        Response response = client.read(client.ofHost()
                .domain("d.example")
                .header("x-forwarded-proto", "")
                .header("host", host));
        assertThat(response.json().path("agent_id").asText())
                .isEqualTo("http://" + named + "/.well-known/agent-health");
    }

    @Test
    @Tag("AHS-14")
    void with_an_administrator_s_key_the_registry_s_document_is_uncached_but_otherwise_the_same() {
        healths.computeRegistry(60, 0, system.clock().instant());
        for (String key : List.of(TestSystem.ADMINISTRATOR_KEY, TestSystem.AGENT_KEY)) {
            assertThat(client.read(client.ofHost().domain(DOMAIN).key(key)).json())
                    .isEqualTo(client.read(client.ofHost().domain(DOMAIN)).json());
        }
    }

    private JsonNode ownHealth() {
        return client.read(client.ofHost().domain(DOMAIN)).json().path("health");
    }

    private void map(String host, String agentId) {
        assertThat(system.api()
                        .put("/v1/admin/hosts/" + host)
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"agent_id\":\"" + agentId + "\"}")
                        .send()
                        .status())
                .isEqualTo(200);
    }
}
