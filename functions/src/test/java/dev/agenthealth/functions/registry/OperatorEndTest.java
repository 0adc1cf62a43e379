package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.registry.lifesigns.SignResult;
import dev.agenthealth.functions.registry.lifesigns.SignsOfLife;
import dev.agenthealth.functions.sweep.RowSweep;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An answer 410 says who ended the agent, and a registration after an operator's word shows that the process ignores it. */
@Tag("R16-13")
class OperatorEndTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestAgent agent = TestAgent.registered(system, "a");

    @ParameterizedTest
    @CsvSource({
        TestSystem.ADMINISTRATOR_KEY + ", operator",
        TestSystem.COORDINATOR_KEY + ", operator",
        TestSystem.AGENT_KEY + ", owner"
    })
    void a_heartbeat_after_a_deregistration_says_who_sent_it(String key, String by) {
        assertThat(system.api().delete("/api/v1/agents/a").key(key).send().status())
                .isEqualTo(204);
        assertGone(agent.sendHeartbeat().json(), by, "deregistered");
        assertGone(inBatch(), by, "deregistered");
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        assertGone(agent.sendHeartbeat().json(), by, "deregistered");
        assertThat(record().path("end").path("ended_by").asText()).isEqualTo(by);
    }

    @ParameterizedTest
    @CsvSource({TestSystem.COORDINATOR_KEY + ", operator", TestSystem.AGENT_KEY + ", owner"})
    void a_status_of_deregistered_is_the_same_word(String key, String by) {
        assertThat(status(key, "deregistered")).isEqualTo(200);
        assertGone(agent.sendHeartbeat().json(), by, "deregistered");
    }

    @Test
    void a_silent_agent_is_ended_by_the_registry_until_an_operator_deregisters_it() {
        agent.becomeDead();
        assertGone(agent.sendHeartbeat().json(), "registry", "heartbeat_timeout");
        assertThat(agent.sendHeartbeat().json().path("detail").asText()).contains("must register again");
        assertThat(status(TestSystem.ADMINISTRATOR_KEY, "deregistered")).isEqualTo(200);
        assertGone(agent.sendHeartbeat().json(), "operator", "deregistered");
        assertThat(agent.sendHeartbeat().json().path("detail").asText()).contains("must not register again");
    }

    @Test
    void a_drain_by_an_operator_ends_by_the_operator_and_no_sign_of_life_takes_it_back() {
        agent.sendHeartbeat("active", ",\"current_load\":3");
        assertThat(status(TestSystem.COORDINATOR_KEY, "draining")).isEqualTo(200);
        system.clock().advance(Duration.ofMinutes(30));
        new RowSweep(system.database()).agent("a");
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.DEAD);
        assertGone(agent.sendHeartbeat().json(), "operator", "drain_timeout");
        assertThat(SignsOfLife.in(system.database(), system.clock()).record("a", SeenBy.PING, true))
                .isEqualTo(SignResult.GONE);
    }

    @Test
    void the_record_and_the_event_of_a_registration_name_the_end_before() {
        system.api()
                .delete("/api/v1/agents/a")
                .key(TestSystem.ADMINISTRATOR_KEY)
                .send();
        JsonNode left = agent.events().get(agent.events().size() - 1);
        assertThat(left.path("ended_by").asText()).isEqualTo("operator");
        assertThat(left.has("previous_end")).isFalse();
        system.clock().advance(Duration.ofSeconds(7));
        Response again = agent.register("");
        assertThat(again.status()).as("RFC-0016 §3.3").isEqualTo(201);
        assertPrevious(again.json().path("previous_end"), left);
        assertPrevious(record().path("previous_end"), left);
        assertThat(record().has("end")).isFalse();
        JsonNode registered = agent.events().get(agent.events().size() - 1);
        assertThat(registered.path("reason").asText()).isEqualTo("re_registered");
        assertPrevious(registered.path("previous_end"), left);
        assertThat(registered.has("ended_by")).isFalse();
        agent.becomeUnhealthy();
        assertThat(agent.events().get(agent.events().size() - 1).has("previous_end"))
                .as("only the registration")
                .isFalse();
    }

    @Test
    void the_first_registration_has_no_end_before_and_a_replaced_process_was_ended_by_its_owner() {
        assertThat(record().has("previous_end")).isFalse();
        Response replaced = agent.register(",\"replace\":true");
        assertThat(replaced.json().path("previous_end").path("ended_by").asText())
                .isEqualTo("owner");
    }

    private static void assertGone(JsonNode answer, String by, String reason) {
        assertThat(answer.path("error").asText()).isEqualTo("agent_gone");
        assertThat(answer.path("ended_by").asText()).isEqualTo(by);
        assertThat(answer.path("reason").asText()).isEqualTo(reason);
        assertThat(answer.fieldNames())
                .toIterable()
                .as("the order of fields is the same in every process")
                .endsWith("error", "ended_by", "reason");
    }

    private static void assertPrevious(JsonNode end, JsonNode left) {
        assertThat(end.path("ended_by").asText()).isEqualTo("operator");
        assertThat(end.path("reason").asText()).isEqualTo("deregistered");
        assertThat(end.path("at")).isEqualTo(left.path("timestamp"));
    }

    private int status(String key, String status) {
        TestApi.Request patch = system.api().patch("/api/v1/agents/a/status");
        return patch.key(key)
                .header("if-match", "*")
                .body("{\"status\":\"" + status + "\"}")
                .send()
                .status();
    }

    private JsonNode inBatch() {
        return system.api()
                .post("/api/v1/heartbeats")
                .key(TestSystem.AGENT_KEY)
                .body("{\"heartbeats\":[{\"agent_id\":\"a\"}]}")
                .send()
                .json()
                .path("results")
                .path(0);
    }

    private JsonNode record() {
        return system.api()
                .get("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
    }
}
