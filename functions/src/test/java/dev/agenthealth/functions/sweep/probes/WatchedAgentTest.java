package dev.agenthealth.functions.sweep.probes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.GatewayFunction;
import dev.agenthealth.functions.ProbeFunction;
import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.sweep.Sweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestCertificates;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestPublicApi;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent that sends no heartbeats, from its registration over the sweep, the queue and the probe to its record. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WatchedAgentTest {

    private static final String QUEUE = "https://sqs.us-east-1.amazonaws.com/000000000000/ProbeQueue";
    private static final TestCertificates CERTIFICATES = TestCertificates.of("agent.test");

    private final TestSystem system = new TestSystem();
    private final ScriptedServer server = ScriptedServer.http();
    private final TestPublicApi publicApi = new TestPublicApi((path, key, body) ->
            system.api().post(path).key(key).body(body).send().status());
    private final Wiring wiring = system.wiring(environment());
    private final TestApi api = new TestApi(List.of(new RegistryFunction(wiring)));
    private final Sweep sweep = new Sweep(wiring);
    private final ProbeFunction function = new ProbeFunction(
            wiring, host -> List.of(InetAddress.getLoopbackAddress()), SecureSockets.trusting(CERTIFICATES.trust()));
    /** Without it, all would be silent, which is the registry's own trouble. */
    private final TestAgent other = TestAgent.registered(system, "other");

    @AfterEach
    void close() {
        publicApi.close();
        server.close();
        system.close();
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(TestSystem.INVOCATIONS);
        environment.put("ACCOUNT_CONCURRENCY", "64");
        environment.put("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true");
        environment.put("PUBLIC_URL", publicApi.url());
        environment.put("SWEEP_PERIOD_SECONDS", "60");
        environment.put("PROBE_QUEUE_URL", QUEUE);
        return environment;
    }

    private String endpoint() {
        return "http://agent.test:" + server.port() + "/a2a";
    }

    private Response register(String id, String more) {
        return api.post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"" + id + "\",\"endpoint\":\"" + endpoint() + "\"" + more + "}")
                .send();
    }

    private TestAgent watched(String id) {
        Response response = register(id, ",\"watch\":{\"interval_seconds\":60}");
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        return new TestAgent(system, id);
    }

    private JsonNode record(String id) {
        return api.get("/api/v1/agents/" + id).key(TestSystem.AGENT_KEY).send().json();
    }

    private void pass() {
        other.sendHeartbeat("active", "");
        sweep.passes(TestContext.of("SweepFunction"));
    }

    /** Runs the probes that are in the queue; returns the number of agents. */
    private int probe() {
        return function.handleRequest(Map.of(), null).agents();
    }

    /** A pass at each minute, with its probes. */
    private void passMinutes(int minutes) {
        for (int i = 0; i < minutes; i++) {
            system.clock().advanceSeconds(60);
            pass();
            probe();
        }
    }

    @Test
    void an_agent_that_answers_lives_without_heartbeats_of_its_own() {
        server.plays(Script.body("ok"));
        TestAgent agent = watched("w");
        pass();
        passMinutes(10);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.PROBE);
        JsonNode found = record("w").path("last_probe");
        assertThat(found.at("/response_ms_last_day/max").asInt())
                .isGreaterThanOrEqualTo(found.at("/response_ms_last_day/min").asInt());
        assertThat(found.path("response_ms_last_day").isObject()).isTrue();
        assertThat(found.path("failure").isNull()).isTrue();
        assertThat(record("w").at("/watch/interval_seconds").asInt()).isEqualTo(60);
    }

    @Test
    void an_agent_that_stops_answering_falls_silent_with_the_reason_and_recovers() {
        server.plays(Script.body("ok"));
        TestAgent agent = watched("w");
        pass();
        passMinutes(2);
        server.plays(Script.status(503));
        passMinutes(3);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.UNHEALTHY);
        assertThat(record("w").at("/last_probe/failure").asText()).isEqualTo("HTTP 503");
        String since = record("w").at("/last_probe/since").asText();
        JsonNode unhealthy = lastEvent(agent, "unhealthy");
        assertThat(unhealthy.path("probe_failure").asText()).isEqualTo("HTTP 503");
        assertThat(unhealthy.path("probe_failing_since").asText()).isEqualTo(since);
        assertThat(reason()).contains("longer ago than the threshold").endsWith("HTTP 503 since " + since + ".");
        passMinutes(4);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(lastEvent(agent, "dead").path("probe_failure").asText()).isEqualTo("HTTP 503");
        assertThat(reason()).startsWith("The agent is dead;").endsWith("HTTP 503 since " + since + ".");
        server.plays(Script.body("ok"));
        passMinutes(5);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(agent.pulse().incarnation()).isEqualTo(2);
        assertThat(record("w").at("/last_probe/failure").isNull()).isTrue();
        assertThat(lastEvent(agent, "active").has("probe_failure")).isFalse();
        assertThat(reason()).doesNotContain("HTTP");
    }

    @Test
    void the_record_says_what_the_signatures_of_the_last_card_are_worth() {
        assertThat(record("other").get("signature").isNull()).isTrue();
        register("w", ",\"watch\":{\"by\":\"a2a\",\"interval_seconds\":60}");
        assertThat(record("w").get("signature").isNull()).isTrue();
        server.plays(Script.body("{\"name\":\"W\",\"url\":\"" + endpoint() + "\"}"));
        pass();
        passMinutes(2);
        assertThat(record("w").path("signature").asText()).isEqualTo("unsigned");
        server.plays(Script.status(503));
        passMinutes(1);
        assertThat(record("w").path("signature").asText()).isEqualTo("unsigned");
        Response sentBack = api.patch("/api/v1/agents/w")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(record("w").toString())
                .send();
        assertThat(sentBack.status()).as(sentBack.text()).isEqualTo(200);
    }

    private static JsonNode lastEvent(TestAgent agent, String status) {
        List<JsonNode> events = agent.events().stream()
                .filter(event -> event.path("new_status").asText().equals(status))
                .toList();
        return events.get(events.size() - 1);
    }

    /** The worst reason of the verdict on the watched agent. */
    private String reason() {
        return system.api()
                .get("/api/v1/agents/w/health")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json()
                .at("/reasons/0")
                .asText();
    }

    @Test
    void a_dead_agent_keeps_its_row_and_is_probed_every_five_minutes_for_thirty_days() {
        server.plays(Script.status(500));
        TestAgent agent = watched("w");
        pass();
        passMinutes(8);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        int sent = 0;
        for (int i = 0; i < 90; i++) {
            system.clock().advanceSeconds(60);
            pass();
            sent += probe();
        }
        assertThat(sent).isEqualTo(18);
        system.clock().advanceSeconds(30 * 86_400);
        pass();
        assertThat(probe()).isZero();
    }

    @Test
    void a_deregistered_agent_is_not_probed() {
        server.plays(Script.body("ok"));
        watched("w");
        pass();
        assertThat(probe()).isOne();
        assertThat(api.delete("/api/v1/agents/w")
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(204);
        system.clock().advanceSeconds(60);
        pass();
        assertThat(probe()).isZero();
    }

    @Test
    void a_duplicate_a_late_and_a_foreign_message_harm_nothing() {
        server.plays(Script.body("ok"));
        TestAgent agent = watched("w");
        pass();
        system.clock().advanceSeconds(60);
        pass();
        String body = system.clock().instant().toEpochMilli() + "\nw";
        send(body);
        send(body);
        assertThat(probe()).isEqualTo(1);
        send(body);
        assertThat(probe()).isEqualTo(1);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        system.clock().advanceSeconds(300);
        send(body);
        send("foreign");
        assertThat(probe()).isZero();
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
    }

    private void send(String body) {
        system.sqs().client().sendMessage(r -> r.queueUrl(QUEUE).messageBody(body));
    }

    @Test
    void a_failed_probe_costs_as_many_write_units_as_a_heartbeat_and_a_run_of_probes_three_more() {
        watched("w");
        pass();
        system.clock().advanceSeconds(60);
        pass();
        probe();
        server.plays(Script.status(500));
        system.clock().advanceSeconds(60);
        pass();
        probe();
        system.clock().advanceSeconds(60);
        pass();
        system.meter().reset();
        assertThat(probe()).isOne();
        assertThat(system.meter().writeUnits()).isEqualTo(4);
    }

    @Test
    void the_agents_of_a_pass_are_divided_among_messages() {
        List<ProbeQueue.Agent> agents = java.util.stream.IntStream.range(0, 120)
                .mapToObj(i -> new ProbeQueue.Agent("a" + i, 1))
                .toList();
        assertThat(ProbeQueue.batches(agents)).extracting(List::size).containsExactly(50, 50, 20);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"url\":\"https://other.test/x\"} | watch.url",
                "{\"url\":\"http://10.0.0.1/x\"} | watch.url",
                "{\"url\":\"ftp://agent.test/x\"} | watch.url",
                "{\"interval_seconds\":45} | watch.interval_seconds",
                "{\"interval_seconds\":120} | watch.interval_seconds",
                "{\"timeout_seconds\":21} | watch.timeout_seconds",
                "{\"by\":\"a2a\",\"expect\":{\"contains\":\"x\"}} | watch.expect",
                "{\"expect\":{\"statuses\":[99]}} | watch.expect.statuses[0]",
                "{\"by\":\"tcp\"} | watch.by",
                "{\"every\":1} | watch.every",
            })
    void a_watch_that_cannot_be_is_refused_by_the_name_of_its_field(String watch, String field) {
        Response response = register("w", ",\"watch\":" + watch);
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().at("/errors/0/field").asText()).isEqualTo(field);
    }

    @ParameterizedTest
    @CsvSource({"80, 400", "81, 201"})
    void interval_and_timeout_end_before_the_agent_is_unhealthy(int unhealthyAfterSeconds, int status) {
        assertThat(register(
                                "w",
                                ",\"watch\":{\"timeout_seconds\":20},\"heartbeat_config\":{\"interval_seconds\":30,"
                                        + "\"unhealthy_after_seconds\":" + unhealthyAfterSeconds
                                        + ",\"dead_after_seconds\":300}")
                        .status())
                .isEqualTo(status);
    }

    @Test
    void a_watch_without_an_address_is_refused() {
        Response response = api.post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"watch\":{}}")
                .send();
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().at("/errors/0/field").asText()).isEqualTo("watch.url");
    }

    @Test
    void a_change_sets_and_ends_a_watch_and_the_record_can_be_sent_back() {
        assertThat(register("w", "").status()).isEqualTo(201);
        assertThat(record("w").has("watch")).isFalse();
        assertThat(patch("{\"watch\":{\"by\":\"mcp\",\"interval_seconds\":60}}")
                        .at("/watch/by")
                        .asText())
                .isEqualTo("mcp");
        JsonNode record = record("w");
        assertThat(patch(record.toString())).isEqualTo(record);
        system.clock().advanceSeconds(60);
        pass();
        system.clock().advanceSeconds(60);
        pass();
        assertThat(probe()).isOne();
        assertThat(patch("{\"watch\":null}").has("watch")).isFalse();
        system.clock().advanceSeconds(60);
        pass();
        assertThat(probe()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "/a2a, true",
        "/a2a/health?full=1, true",
        "/echo, false",
        "/a2a2, false",
        "/a2a/../echo, false",
        "'', true",
    })
    void the_credential_goes_to_the_endpoint_only_wherever_a_coordinator_lets_the_agent_be_probed(
            String path, boolean sent) {
        assertThat(register("w", "").status()).isEqualTo(201);
        Response set = new TestApi(List.of(new GatewayFunction(wiring, this::addresses, SecureSockets.usualWhenUsed())))
                .put("/v1/agents/w/credential")
                .key(TestSystem.AGENT_KEY)
                .body("{\"bearer_token\":\"secret\"}")
                .send();
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        String url = path.isEmpty() ? "null" : "\"http://agent.test:" + server.port() + path + "\"";
        patch(TestSystem.COORDINATOR_KEY, "{\"watch\":{\"by\":\"http\",\"url\":" + url + ",\"interval_seconds\":60}}");
        pass();
        passMinutes(2);
        assertThat(server.requests())
                .isNotEmpty()
                .allMatch(request ->
                        sent == "Bearer secret".equals(request.headers().get("authorization")));
    }

    private List<InetAddress> addresses(String host) {
        return List.of(InetAddress.getLoopbackAddress());
    }

    private JsonNode patch(String body) {
        return patch(TestSystem.AGENT_KEY, body);
    }

    private JsonNode patch(String key, String body) {
        Response response = api.patch("/api/v1/agents/w")
                .key(key)
                .header("if-match", "*")
                .body(body)
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }
}
