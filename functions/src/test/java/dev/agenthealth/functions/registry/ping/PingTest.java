package dev.agenthealth.functions.registry.ping;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Restarts;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.testkit.Gzip;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Ping addresses: agents that can only send plain requests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-11")
class PingTest {

    private static final String KEY = TestSystem.AGENT_KEY;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private int agents;

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST"})
    void a_ping_without_a_key_is_a_heartbeat_and_a_success(String method) {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        system.clock().advanceSeconds(30);
        Response response = system.api().request(method, ping).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.text().isEmpty()).isEqualTo(method.equals("HEAD"));
        assertThat(agent.pulse().seenBy()).isEqualTo(SeenBy.PING);
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        assertThat(outcomes(agent)).isEqualTo("1 0");
    }

    @Test
    void many_pings_write_one_heartbeat_and_every_end_counts() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        system.clock().advanceSeconds(30);
        for (int i = 0; i < 5; i++) {
            assertThat(send(ping).status()).isEqualTo(200);
        }
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(1);
        assertThat(outcomes(agent)).isEqualTo("5 0");
    }

    @Test
    void start_and_end_are_one_outcome_with_its_duration() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        assertThat(send(ping + "/start").json().path("received").textValue()).isEqualTo("start");
        assertThat(outcomes(agent)).isEqualTo("0 0");
        assertThat(state(agent).path("started_at").isNull()).isFalse();
        system.clock().advanceSeconds(7);
        assertThat(send(ping + "/0").json().path("duration_ms").longValue()).isEqualTo(7_000);
        assertThat(outcomes(agent)).isEqualTo("1 0");
        assertThat(state(agent).path("started_at").isNull()).isTrue();
        assertThat(send(ping).json().path("duration_ms").isNull())
                .as("without another start")
                .isTrue();
    }

    @Test
    void the_later_one_of_two_starts_counts_and_none_that_is_older_than_a_day() {
        TestAgent agent = newAgent(",\"heartbeat_config\":{\"mode\":\"none\"}");
        String ping = issue(agent);
        send(ping + "/start");
        system.clock().advanceSeconds(60);
        send(ping + "/start");
        system.clock().advanceSeconds(5);
        assertThat(send(ping).json().path("duration_ms").longValue()).isEqualTo(5_000);
        send(ping + "/start");
        system.clock().advanceSeconds(86_400);
        assertThat(send(ping).json().path("duration_ms").longValue()).isEqualTo(86_400_000);
        send(ping + "/start");
        system.clock().advanceSeconds(86_401);
        assertThat(send(ping).json().path("duration_ms").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "fail, failure",
        "0, success",
        "000, success",
        "1, failure",
        "255, failure",
        "256, failure",
        "-1, failure",
        "4294967295, failure",
        "-2147483648, failure"
    })
    void a_failure_is_a_failed_outcome_and_a_sign_of_life(String signal, String received) {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        agent.becomeUnhealthy();
        assertThat(send(ping + "/" + signal).json().path("received").textValue())
                .isEqualTo(received);
        assertThat(outcomes(agent)).isEqualTo(received.equals("success") ? "1 0" : "0 1");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(state(agent).path("last_signal").textValue()).isEqualTo(signal);
    }

    @Test
    void a_failed_run_is_down_until_one_succeeds() {
        TestAgent agent = newAgent(",\"heartbeat_config\":{\"mode\":\"none\"}");
        String ping = issue(agent);
        send(ping + "/0");
        assertThat(verdict(agent)).isEqualTo("ok []");
        send(ping + "/start");
        send(ping + "/3");
        assertThat(verdict(agent)).isEqualTo("down [\"last_run_failed\"]");
        send(ping + "/start");
        send(ping + "/fail");
        assertThat(verdict(agent)).as("while it runs again").startsWith("down");
        assertThat(runs(agent)).containsExactly("agent.run_failed failed 3");
        agent.sendHeartbeat();
        assertThat(verdict(agent)).as("after a heartbeat of its own").startsWith("down");
        send(ping);
        assertThat(verdict(agent)).isEqualTo("ok []");
        assertThat(runs(agent)).containsExactly("agent.run_failed failed 3", "agent.run_recovered succeeded -");
    }

    @Test
    void a_revoked_address_and_a_new_registration_end_a_failed_run() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        send(ping + "/fail");
        assertThat(request("DELETE").status()).isEqualTo(204);
        assertThat(request("DELETE").status()).isEqualTo(204);
        assertThat(verdict(agent)).startsWith("ok");
        assertThat(runs(agent)).containsExactly("agent.run_failed failed -", "agent.run_recovered address_revoked -");
        send(issue(agent) + "/fail");
        assertThat(verdict(agent)).startsWith("down");
        agent.becomeDead();
        agent.register("");
        assertThat(agent.pulse().runFailed()).isFalse();
        assertThat(runs(agent)).as("the registration says it").hasSize(3);
    }

    @Test
    void a_dead_agent_is_registered_again_by_a_run_that_failed() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        agent.becomeDead();
        assertThat(send(ping + "/fail").status()).isEqualTo(200);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(runs(agent)).containsExactly("agent.run_failed failed -");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "Start", "4294967296", "-2147483649", "99999999999", "1.5", "-"})
    void another_signal_is_refused_and_is_no_sign_of_life(String signal) {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        system.clock().advanceSeconds(30);
        Response refused = send(ping + "/" + signal);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactly("signal");
        assertThat(agent.pulse().heartbeatCount()).isZero();
    }

    @Test
    void a_wrong_or_revoked_token_gets_404_and_says_nothing_of_the_agent() {
        TestAgent agent = newAgent("");
        assertThat(request("GET").status()).as("no address").isEqualTo(404);
        String first = issue(agent);
        String second = issue(agent);
        String wrong = second.substring(0, second.length() - 4) + "AAAA";
        for (String path :
                new String[] {first, wrong, wrong + "/abc", "/p/nobody.x", "/p/" + agent.id(), "/p/.", "/p/x"}) {
            Response refused = send(path);
            assertThat(refused.status()).as(path).isEqualTo(404);
            assertThat(refused.json().path("detail").textValue()).isEqualTo("There is no such ping address.");
        }
        assertThat(request("DELETE").status()).isEqualTo(204);
        assertThat(request("DELETE").status()).isEqualTo(204);
        assertThat(send(second).status()).isEqualTo(404);
    }

    @Test
    void an_address_ends_with_the_ownership_of_the_agent() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        transfer(agent, TestSystem.OTHER_AGENT_KEY);
        assertThat(send(ping).status()).isEqualTo(404);
        assertThat(agent.pulse().heartbeatCount()).isZero();
        assertThat(runs(agent)).isEmpty();
    }

    @Test
    void a_failed_run_ends_with_the_ownership_of_the_agent() {
        TestAgent agent = newAgent("");
        send(issue(agent) + "/fail");
        transfer(agent, KEY);
        assertThat(verdict(agent)).as("the owner is the same").startsWith("down");
        transfer(agent, TestSystem.OTHER_AGENT_KEY);
        assertThat(agent.pulse().runFailed()).isFalse();
        transfer(agent, KEY);
        assertThat(verdict(agent)).startsWith("ok");
        assertThat(runs(agent)).containsExactly("agent.run_failed failed -", "agent.run_recovered address_revoked -");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_failure_that_comes_while_its_address_ends_is_none(boolean revoked) {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        AtomicInteger writes = new AtomicInteger();
        TestApi racing = system.apiThrough(new TestDynamoDb(system.dynamoDb()).before(request -> {
            if (request instanceof TransactWriteItemsRequest transaction
                    && transaction.toString().contains("agent.run_failed")
                    && writes.incrementAndGet() == 1) {
                if (revoked) {
                    assertThat(request("DELETE").status()).isEqualTo(204);
                } else {
                    transfer(agent, TestSystem.OTHER_AGENT_KEY);
                }
            }
        }));
        assertThat(racing.get(ping + "/fail").send().status()).isEqualTo(200);
        assertThat(writes).hasValue(1);
        assertThat(agent.pulse().runFailed()).isFalse();
        assertThat(runs(agent)).isEmpty();
    }

    private void transfer(TestAgent agent, String key) {
        Response transferred = system.api()
                .put("/v1/admin/agents/" + agent.id() + "/owner")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .body("{\"key_id\":\"" + TestSystem.keyId(key) + "\"}")
                .send();
        assertThat(transferred.status()).as(transferred.text()).isEqualTo(200);
    }

    @Test
    void a_deregistered_agent_gets_410_and_no_outcome() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        agent.deregister();
        assertThat(send(ping).status()).isEqualTo(410);
        assertThat(send(ping + "/fail").status()).isEqualTo(410);
        assertThat(outcomes(agent)).isEqualTo("0 0");
    }

    @Test
    void a_dead_and_archived_agent_is_alive_again_as_the_same_process() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        agent.becomeDead();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertThat(send(ping).status()).isEqualTo(200);
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
        assertThat(agent.stored().profile().history().restarts()).isEqualTo(Restarts.NONE);
        assertThat(outcomes(agent)).isEqualTo("1 0");
    }

    @Test
    void a_ping_in_time_keeps_an_agent_of_a_schedule_healthy() {
        TestAgent agent =
                newAgent(",\"heartbeat_config\":{\"schedule\":{\"every_seconds\":3600,\"grace_seconds\":60}}");
        String ping = issue(agent);
        for (int i = 0; i < 3; i++) {
            system.clock().advanceSeconds(3_650);
            assertThat(agent.sweep()).isFalse();
            assertThat(send(ping).status()).isEqualTo(200);
        }
        system.clock().advanceSeconds(3_661);
        assertThat(agent.sweep()).isTrue();
        send(ping + "/fail");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void a_message_of_any_form_is_kept_up_to_10_kib_for_those_who_may_see_the_record() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        assertThat(post(ping, "no JSON {").json().path("message_truncated").booleanValue())
                .isFalse();
        assertThat(state(agent).path("last_message").textValue()).isEqualTo("no JSON {");
        JsonNode answer = post(ping + "/1", "a" + "\u00fc".repeat(10_000)).json();
        assertThat(answer.path("message_truncated").booleanValue()).isTrue();
        String kept = state(agent).path("last_message").textValue();
        assertThat(kept.getBytes(StandardCharsets.UTF_8)).hasSize(10_239);
        assertThat(kept).doesNotContain("\ufffd");
        send(ping);
        assertThat(state(agent).path("last_message").isNull()).isTrue();
        assertThat(system.api()
                        .get("/api/v1/agents/" + agent.id() + "/ping-url")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .send()
                        .status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"identity, 10485761", "gzip, 10485761", "GZIP, 300000"})
    void a_message_of_any_size_never_costs_the_signal(String encoding, int bytes) {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        byte[] message = "a".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
        Response response = system.api()
                .post(ping + "/fail")
                .header("content-encoding", encoding)
                .body(encoding.equals("identity") ? message : Gzip.of(message))
                .undescribed()
                .send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().path("received").textValue()).isEqualTo("failure");
        assertThat(response.json().path("message_truncated").booleanValue()).isTrue();
        assertThat(response.json().has("warnings")).isFalse();
        assertThat(outcomes(agent)).isEqualTo("0 1");
        assertThat(state(agent).path("last_message").textValue()).isEqualTo("a".repeat(10_240));
    }

    @Test
    void a_large_text_of_an_event_that_is_no_base64_never_costs_the_signal() {
        TestAgent agent = newAgent("");
        Response response = post(issue(agent) + "/fail", "\u00fc".repeat(6 * 1_024 * 1_024));
        assertThat(response.json().path("message_truncated").booleanValue()).isTrue();
        assertThat(outcomes(agent)).isEqualTo("0 1");
    }

    @Test
    void a_compressed_message_is_kept_as_it_was_before() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        byte[] message = Gzip.of("\ufeffrows: 7, \u00fc".getBytes(StandardCharsets.UTF_8));
        Response response = system.api()
                .post(ping)
                .header("content-encoding", "gzip")
                .body(message)
                .undescribed()
                .send();
        assertThat(response.json().path("message_truncated").booleanValue()).isFalse();
        assertThat(state(agent).path("last_message").textValue()).isEqualTo("rows: 7, \u00fc");
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "gzip, gzip", "zstd", "gzip"})
    void a_message_that_cannot_be_decoded_is_a_warning_and_the_signal_counts(String encoding) {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        Response response = system.api()
                .post(ping + "/1")
                .header("content-encoding", encoding)
                .body(new byte[] {1, 2, 3})
                .undescribed()
                .send();
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.json().at("/warnings/0/field").textValue()).isEqualTo("body");
        assertThat(response.json().path("message_truncated").booleanValue()).isTrue();
        assertThat(outcomes(agent)).isEqualTo("0 1");
        assertThat(state(agent).path("last_message").isNull()).isTrue();
    }

    @Test
    void the_secret_is_stored_only_as_a_hash() {
        TestAgent agent = newAgent("");
        String ping = issue(agent);
        String secret = ping.substring(ping.lastIndexOf('.') + 1);
        assertThat(system.dynamoDb()
                        .scan(r -> r.tableName(TestTables.REGISTRY))
                        .items()
                        .toString())
                .doesNotContain(secret);
    }

    private TestAgent newAgent(String more) {
        TestAgent agent = new TestAgent(system, "agent." + agents++);
        assertThat(agent.register(more).status()).isEqualTo(201);
        return agent;
    }

    private String issue(TestAgent agent) {
        JsonNode json = system.api()
                .post("/api/v1/agents/" + agent.id() + "/ping-url")
                .key(KEY)
                .send()
                .json();
        String url = json.path("ping_url").textValue();
        return url.substring(url.indexOf("/p/"));
    }

    private Response send(String path) {
        return system.api().get(path).send();
    }

    private Response post(String path, String body) {
        return system.api().post(path).body(body).send();
    }

    private Response request(String method) {
        return system.api()
                .request(method, "/api/v1/agents/agent." + (agents - 1) + "/ping-url")
                .key(KEY)
                .send();
    }

    private JsonNode state(TestAgent agent) {
        return system.api()
                .get("/api/v1/agents/" + agent.id() + "/ping-url")
                .key(KEY)
                .send()
                .json();
    }

    private String verdict(TestAgent agent) {
        JsonNode row = system.api()
                .get("/api/v1/agents")
                .query("verdict", "ok,unknown,degraded,down")
                .query("limit", "1000")
                .key(KEY)
                .send()
                .json()
                .path("agents");
        for (JsonNode found : row) {
            if (found.path("agent_id").asText().equals(agent.id())) {
                return found.path("verdict").asText() + " " + found.path("reasons");
            }
        }
        return "not listed";
    }

    private static List<String> runs(TestAgent agent) {
        return agent.events().stream()
                .filter(event -> event.path("type").asText().startsWith("agent.run_"))
                .map(event -> String.join(
                        " ",
                        event.path("type").asText(),
                        event.path("result").asText(),
                        event.path("exit_code").asText("-")))
                .toList();
    }

    /** The numbers of successes and failures that were counted. */
    private String outcomes(TestAgent agent) {
        OutcomeCounts total = new StoredOutcomes(system, agent.id()).total();
        return total.get(OutcomeCounter.SELF_SUCCESSES) + " " + total.get(OutcomeCounter.SELF_FAILURES);
    }
}
