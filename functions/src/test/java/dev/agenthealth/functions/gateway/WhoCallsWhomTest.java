package dev.agenthealth.functions.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.trust.CallSumsStore;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.gateway.CallHours;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The gateway adds up calls by caller and agent, and a route shows who calls whom. */
class WhoCallsWhomTest {

    @AutoClose
    private final GatewayHarness gateway = new GatewayHarness();

    @BeforeEach
    void register() {
        gateway.agent("a", gateway.server().plays(AgentScripts.task("completed")));
        gateway.agent("b", gateway.server().plays(AgentScripts.task("failed")));
    }

    @Test
    void calls_are_added_up_by_caller_and_agent_with_their_failures() {
        for (int i = 0; i < 3; i++) {
            invoke("a", TestSystem.OTHER_AGENT_KEY);
        }
        invoke("b", TestSystem.OTHER_AGENT_KEY);
        invoke("a", TestSystem.ADMINISTRATOR_KEY);
        JsonNode answer = calls("hours", "1");
        assertThat(shown(answer)).hasSize(3).first().asString().endsWith("a 3 calls 0 failed 0");
        assertThat(shown(answer)).anyMatch(text -> text.endsWith("b 1 calls 1 failed 1"));
        assertThat(shown(answer)).contains("administrator a 1 calls 0 failed 0");
        assertThat(answer.path("truncated").asBoolean()).isFalse();
        assertThat(shown(calls("agent_id", "b"))).hasSize(1);
        assertThat(shown(calls("agent_id", "nobody"))).isEmpty();
    }

    @Test
    void asynchronous_calls_count_once_and_refused_calls_do_not() {
        assertThat(gateway.api()
                        .post("/v1/agents/a/invoke-async")
                        .key(TestSystem.OTHER_AGENT_KEY)
                        .body(GatewayHarness.HELLO)
                        .send()
                        .status())
                .isEqualTo(202);
        assertThat(shown(calls("hours", "1"))).isEmpty();
        gateway.deliver();
        gateway.deliver();
        assertThat(shown(calls("hours", "1"))).hasSize(1).first().asString().endsWith("a 1 calls 0 failed 0");
        invoke("unknown", TestSystem.OTHER_AGENT_KEY);
        assertThat(shown(calls("hours", "1"))).hasSize(1);
    }

    @Test
    void a_caller_that_owns_one_agent_is_named_as_this_agent() {
        gateway.system()
                .api()
                .post("/api/v1/agents")
                .key(TestSystem.OTHER_AGENT_KEY)
                .body("{\"agent_id\":\"caller-1\"}")
                .send();
        invoke("a", TestSystem.OTHER_AGENT_KEY);
        assertThat(calls("hours", "1")
                        .path("calls")
                        .get(0)
                        .path("caller")
                        .path("agent_id")
                        .asText())
                .isEqualTo("caller-1");
        assertThat(shown(calls("agent_id", "caller-1")))
                .as("the calls of a caller")
                .hasSize(1);
    }

    @Test
    void a_window_has_whole_hours_and_sums_expire() {
        invoke("a", TestSystem.OTHER_AGENT_KEY);
        gateway.system().clock().advance(Duration.ofHours(2));
        invoke("a", TestSystem.OTHER_AGENT_KEY);
        assertThat(shown(calls("hours", "1"))).first().asString().endsWith("a 1 calls 0 failed 0");
        assertThat(shown(calls("hours", "3"))).first().asString().endsWith("a 2 calls 0 failed 0");
        gateway.system().clock().advance(Duration.ofDays(8));
        assertThat(shown(calls("hours", "168"))).isEmpty();
    }

    @Test
    void an_erased_agent_leaves_no_sums_and_other_agents_keep_theirs() {
        invoke("a", TestSystem.OTHER_AGENT_KEY);
        invoke("b", TestSystem.OTHER_AGENT_KEY);
        CallSumsStore sums = new CallSumsStore(gateway.system().database());
        sums.removeOf("a");
        CallHours window = CallHours.last(1, gateway.system().clock().instant());
        assertThat(sums.of(window).sums().keySet())
                .extracting(CallSumsStore.Pair::agentId)
                .containsExactly("b");
    }

    @Test
    void only_readers_of_the_whole_fleet_see_it_and_bad_values_are_named() {
        assertThat(request(TestSystem.AGENT_KEY).send().status()).isEqualTo(403);
        for (String hours : List.of("0", "169", "x", "-1", "1e3")) {
            assertThat(request(TestSystem.ADMINISTRATOR_KEY)
                            .query("hours", hours)
                            .send()
                            .status())
                    .as(hours)
                    .isEqualTo(400);
        }
        assertThat(request(TestSystem.ADMINISTRATOR_KEY)
                        .query("agent_id", "not valid!")
                        .send()
                        .text())
                .contains("agent_id");
    }

    private void invoke(String agentId, String key) {
        gateway.api()
                .post("/v1/agents/" + agentId + "/invoke")
                .key(key)
                .body(GatewayHarness.HELLO)
                .send();
    }

    private Request request(String key) {
        return gateway.system().api().get("/api/v1/calls").key(key);
    }

    private JsonNode calls(String name, String value) {
        return request(TestSystem.ADMINISTRATOR_KEY).query(name, value).send().json();
    }

    private static List<String> shown(JsonNode answer) {
        List<String> texts = new ArrayList<>();
        for (JsonNode call : answer.path("calls")) {
            texts.add("%s %s %d calls %d failed %s"
                    .formatted(
                            call.path("caller").path("key_id").asText(),
                            call.path("agent_id").asText(),
                            call.path("calls").asLong(),
                            call.path("failures").asLong(),
                            call.path("failure_rate")
                                    .decimalValue()
                                    .stripTrailingZeros()
                                    .toPlainString()));
        }
        return texts;
    }
}
