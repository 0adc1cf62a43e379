package dev.agenthealth.functions.api.routes;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.AdministrationFunction;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.HealthFunction;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.TelemetryFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestPublicApi;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy in front of the API, such as CloudFront with WAF: requests around it are refused, and the self-check goes through it. */
class ProxyTest {

    private static final String SECRET = "the proxy's secret";
    private static final String PUBLIC_URL = "https://agents.example.com";

    @AutoClose
    private final TestSystem system = new TestSystem();

    @ParameterizedTest
    @ValueSource(strings = {"", "another secret", "a,b,the proxy's secret"})
    void every_route_refuses_a_request_without_the_secret_before_it_looks_at_the_key(String sent) {
        TestApi api = api();
        assertThat(api.routes()).hasSizeGreaterThan(70);
        for (Route route : api.routes()) {
            String[] key = route.key().split(" ", 2);
            TestApi.Request request = api.request(key[0], key[1].replaceAll("\\{\\w+}", "x"))
                    .key(TestSystem.ADMINISTRATOR_KEY)
                    .body("{}");
            TestApi.Response response = (sent.isEmpty() ? request : request.header(OriginSecret.HEADER, sent)).send();
            assertThat(response.status()).as(route.key()).isEqualTo(403);
            if (!key[0].equals("HEAD")) {
                assertThat(response.text())
                        .as(route.key())
                        .containsAnyOf(
                                "\"error\":\"not_through_proxy\"",
                                "\"message\":\"Send requests to the public address of this registry.\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SECRET, " " + SECRET + " ", "the next secret, " + SECRET, SECRET + ",the next secret"})
    void the_secret_is_accepted_alone_and_beside_the_one_that_replaces_it(String sent) {
        TestApi.Response response = api().get("/api/v1/agents")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .header(OriginSecret.HEADER, sent)
                .send();
        assertThat(response.status()).isEqualTo(200);
    }

    @Test
    void without_a_configured_secret_requests_need_none() {
        TestApi.Response response = system.api()
                .get("/api/v1/agents")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        assertThat(response.status()).isEqualTo(200);
    }

    @Test
    void documents_name_the_public_address_and_not_the_api_s() {
        JsonNode document = api().get("/.well-known/agent-health")
                .domain("abc.execute-api.us-east-1.amazonaws.com")
                .header(OriginSecret.HEADER, SECRET)
                .send()
                .json();
        assertThat(document.toString()).contains(PUBLIC_URL).doesNotContain("execute-api");
    }

    @Test
    void the_requested_host_is_the_one_that_the_proxy_forwards_and_is_not_believed_without_a_proxy() {
        register(system.api(), "agent");
        system.api()
                .put("/v1/admin/hosts/own.example.com")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"agent_id\":\"agent\"}")
                .send();
        TestApi.Request forwarded = api().get("/.well-known/agent-health").header(OriginSecret.HEADER, SECRET);
        assertThat(agentOf(forwarded)).isEqualTo("agent");
        assertThat(agentOf(system.api().get("/.well-known/agent-health")))
                .as("the registry's own document")
                .isNotEqualTo("agent");
    }

    @Test
    void documents_name_the_configured_address_whatever_host_is_requested_also_without_a_secret() {
        register(system.api(), "agent");
        TestApi api = new TestApi(List.of(new HealthFunction(system.wiring(Map.of("PUBLIC_URL", PUBLIC_URL)))));
        system.api()
                .put("/v1/admin/hosts/own.example.com")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"agent_id\":\"agent\"}")
                .send();
        JsonNode own = api.get("/.well-known/agent-health")
                .header("host", "attacker.example:8080")
                .send()
                .json();
        assertThat(own.toString()).contains(PUBLIC_URL).doesNotContain("attacker");
        JsonNode mapped = api.get("/.well-known/agent-health")
                .header("host", "own.example.com")
                .header("x-forwarded-host", "other.example.com")
                .send()
                .json();
        assertThat(mapped.path("agent_id").asText()).isEqualTo("agent");
    }

    private static String agentOf(TestApi.Request request) {
        return request.domain("abc.execute-api.us-east-1.amazonaws.com")
                .header("x-forwarded-host", "own.example.com")
                .send()
                .json()
                .path("agent_id")
                .asText();
    }

    @Test
    void the_secret_is_in_no_log() {
        try (CapturedOutput output = new CapturedOutput()) {
            TestApi api = api();
            api.get("/api/v1/agents")
                    .header(OriginSecret.HEADER, "a wrong secret")
                    .send();
            api.get("/api/v1/agents").header(OriginSecret.HEADER, SECRET).send();
            assertThat(output.text())
                    .contains("not_through_proxy", "unauthenticated")
                    .doesNotContain("secret\"", SECRET, "a wrong", hash());
        }
    }

    @ParameterizedTest
    @CsvSource({"true, dead", "false, unhealthy"})
    @Tag("slow")
    void the_self_check_goes_through_the_proxy_and_no_agent_is_marked_as_dead_where_that_sends_no_secret(
            boolean sendsSecret, String expected) {
        try (DeployedSystem deployed = new DeployedSystem()) {
            TestApi guarded = new TestApi(List.of(
                    (HttpFunction) started(deployed, "HeartbeatFunction", Map.of("ORIGIN_SECRET_SHA256", hash()))));
            TestPublicApi proxy = new TestPublicApi((path, key, body) -> guarded.post(path)
                    .key(key)
                    .body(body)
                    .header(OriginSecret.HEADER, sendsSecret ? SECRET : "")
                    .send()
                    .status());
            try (proxy) {
                register(deployed.api(), "silent");
                RequestHandler<?, ?> sweep = started(deployed, "SweepFunction", Map.of("PUBLIC_URL", proxy.url()));
                assertThat(statusAfterTenMinutes(deployed, sweep)).isEqualTo(expected);
            }
        }
    }

    @Test
    void no_agent_is_marked_as_dead_where_one_of_two_addresses_accepts_no_heartbeats() {
        try (DeployedSystem deployed = new DeployedSystem();
                TestPublicApi domain = new TestPublicApi((path, key, body) -> 429)) {
            register(deployed.api(), "silent");
            RequestHandler<?, ?> sweep = started(
                    deployed,
                    "SweepFunction",
                    Map.of(
                            "PUBLIC_URL",
                            domain.url(),
                            "DEFAULT_URL",
                            deployed.publicApi().url()));
            assertThat(statusAfterTenMinutes(deployed, sweep)).isEqualTo("unhealthy");
        }
    }

    private static String statusAfterTenMinutes(DeployedSystem deployed, RequestHandler<?, ?> sweep) {
        for (int minutes = 0; minutes < 10; minutes++) {
            deployed.clock().advanceSeconds(60);
            LambdaRuntime.invoke(sweep, "{}", TestContext.of("SweepFunction"));
        }
        return deployed.api()
                .get("/api/v1/agents/silent")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send()
                .json()
                .path("status")
                .asText();
    }

    private static RequestHandler<?, ?> started(DeployedSystem deployed, String function, Map<String, String> more) {
        Map<String, String> environment =
                new HashMap<>(deployed.function(function).environment());
        environment.putAll(more);
        return deployed.start(function, environment);
    }

    private static void register(TestApi api, String id) {
        String key = api.post("/v1/admin/keys")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"role\":\"agent\"}")
                .send()
                .json()
                .path("api_key")
                .asText();
        TestApi.Response answer = api.post("/api/v1/agents")
                .key(key)
                .body(
                        "{\"agent_id\":\"" + id
                                + "\",\"role_id\":\"worker\",\"capabilities\":[\"test\"],\"capacity\":{\"max_concurrent_tasks\":1}}")
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    private TestApi api() {
        Map<String, String> environment = new HashMap<>(TestSystem.INVOCATIONS);
        environment.putAll(Map.of("ORIGIN_SECRET_SHA256", hash(), "PUBLIC_URL", PUBLIC_URL));
        Wiring wiring = system.wiring(environment);
        return new TestApi(List.of(
                new RegistryFunction(wiring),
                new HeartbeatFunction(wiring),
                new HealthFunction(wiring, TestSystem.NO_NAMES),
                new GatewayFunction(wiring),
                new TelemetryFunction(wiring),
                new AdministrationFunction(wiring)));
    }

    private static String hash() {
        return KeyHash.ofKey(SECRET).hex();
    }
}
