package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.api.signing.LocalCardKey;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of one's own passes on the host that a caller chose. No identifier follows it, and no card with its addresses is signed. */
class RequestedHostTest {

    private static final String PUBLIC_URL = "https://agents.example.com/registry";
    private static final String CARD = "/agents/a/.well-known/agent-card.json";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestApi server = api(Map.of(FunctionSettings.STREAMS.name(), "true"));
    private final TestApi configured = api(Map.of(FunctionSettings.STREAMS.name(), "true", "PUBLIC_URL", PUBLIC_URL));

    private TestApi api(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(TestSystem.INVOCATIONS);
        environment.putAll(more);
        environment.put(FunctionSettings.CARD_LOCAL_KEY.name(), LocalCardKey.generate());
        return new TestApi(List.of(
                new HealthFunction(system.wiring(environment), TestSystem.NO_NAMES),
                new GatewayFunction(system.wiring(environment))));
    }

    @BeforeEach
    void register() {
        TestAgent agent = new TestAgent(system, "a");
        assertThat(agent.register(",\"listed\":true,\"endpoint\":\"https://agent.example.com/a2a\"")
                        .status())
                .isEqualTo(201);
        assertThat(system.api()
                        .put("/v1/admin/hosts/mapped.example.com")
                        .key(TestSystem.ADMINISTRATOR_KEY)
                        .body("{\"agent_id\":\"a\"}")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    /** As the server of one machine passes it on: the domain name of the event is the requested host. */
    private static Request from(Request request, String host) {
        return request.domain(host.replaceFirst(":\\d+$", ""))
                .header("host", host)
                .header("x-forwarded-proto", "http");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.evil.example",
                "mapped.example.com.evil.example"
            })
    void the_id_in_a_health_document_never_follows_the_requested_host(String host) {
        for (String path : List.of("/agents/a/.well-known/agent-health", "/.well-known/agent-health")) {
            for (String key : List.of("", TestSystem.ADMINISTRATOR_KEY)) {
                Request request = from(server.get(path), host);
                Response response = (key.isEmpty() ? request : request.key(key)).send();
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.json().path("agent_id").textValue())
                        .isEqualTo(path.startsWith("/agents") ? "a" : "agent-health");
                assertThat(response.text()).doesNotContain("evil");
            }
        }
        assertThat(from(configured.get("/agents/a/.well-known/agent-health"), host)
                        .send()
                        .json()
                        .path("agent_id")
                        .textValue())
                .isEqualTo(PUBLIC_URL + CARD);
        assertThat(from(configured.get("/.well-known/agent-health"), host)
                        .send()
                        .json()
                        .path("agent_id")
                        .textValue())
                .isEqualTo(PUBLIC_URL + "/.well-known/agent-health");
    }

    @Test
    void a_proxy_that_says_https_does_not_make_the_requested_host_an_identifier() {
        Response response = from(server.get("/agents/a/.well-known/agent-health"), "evil.example")
                .header("x-forwarded-proto", "https")
                .header("x-forwarded-host", "evil.example")
                .send();
        assertThat(response.json().path("agent_id").textValue()).isEqualTo("a");
    }

    @Test
    void an_identifier_of_the_catalogue_never_follows_the_requested_host() {
        for (String path : List.of("/.well-known/ard.json", "/.well-known/ai-catalog.json")) {
            JsonNode own = from(server.get(path), "evil.example")
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .send()
                    .json();
            assertThat(own.findValuesAsText("identifier")).isNotEmpty().noneMatch(id -> id.contains("evil"));
        }
        JsonNode known = from(configured.get("/.well-known/ard.json"), "evil.example")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json();
        assertThat(known.findValuesAsText("identifier"))
                .contains("agents.example.com", "urn:air:agents.example.com:service:mcp")
                .noneMatch(id -> id.contains("evil"));
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example, false",
        "evil.example:8080, false",
        "10.0.0.7:8080, false",
        "localhost.evil.example, false",
        "127.0.0.1.evil.example, false",
        "localhost, true",
        "localhost:8080, true",
        "127.0.0.1:8080, true",
        "[::1]:8080, true",
        "mapped.example.com, true",
        "MAPPED.example.com:8443, true"
    })
    void a_card_is_signed_for_this_machine_and_a_mapped_host_only(String host, boolean signed) {
        Response response = from(server.get(CARD), host).send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().has("signatures")).isEqualTo(signed);
        assertThat(from(configured.get(CARD), host).send().json().has("signatures"))
                .isTrue();
        assertThat(from(server.get(CARD), host)
                        .header("x-forwarded-proto", "https")
                        .send()
                        .json()
                        .has("signatures"))
                .isEqualTo(signed);
    }

    @Test
    void a_signed_card_of_the_public_address_names_no_requested_host() {
        assertThat(from(configured.get(CARD).query("via", "gateway"), "evil.example")
                        .send()
                        .text())
                .contains(PUBLIC_URL)
                .doesNotContain("evil");
    }

    @Test
    void cards_for_different_hosts_have_different_tags() {
        assertThat(from(server.get(CARD), "localhost:8080").send().header("ETag"))
                .isNotEqualTo(from(server.get(CARD), "evil.example").send().header("ETag"));
    }

    @Test
    void behind_api_gateway_its_own_name_is_the_public_address() {
        TestApi gateway = api(Map.of());
        String name = "abc.execute-api.us-east-1.amazonaws.com";
        assertThat(gateway.get(CARD)
                        .domain(name)
                        .header("host", "evil.example")
                        .send()
                        .json()
                        .has("signatures"))
                .isTrue();
        assertThat(gateway.get("/agents/a/.well-known/agent-health")
                        .domain(name)
                        .header("host", "evil.example")
                        .send()
                        .json()
                        .path("agent_id")
                        .textValue())
                .isEqualTo("https://" + name + CARD);
    }
}
