package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The used part of the model's context in heartbeats. */
class ContextUsedTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final TestAgent agent = TestAgent.registered(system, "a");

    private JsonNode get(String path) {
        return system.api().get(path).key(TestSystem.COORDINATOR_KEY).send().json();
    }

    private JsonNode record() {
        return get("/api/v1/agents/a");
    }

    private JsonNode row() {
        return get("/api/v1/agents").at("/agents/0");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "0.5, 0.5", "0.87349, 0.87", "1e-9, 0"})
    void the_record_and_the_row_show_what_the_last_heartbeat_said(String sent, double shown) {
        assertThat(record().has("context_used")).isFalse();
        Response answer = agent.sendHeartbeat("active", ",\"context_used\":" + sent);
        assertThat(answer.json().has("warnings")).as(answer.text()).isFalse();
        assertThat(record().get("context_used").doubleValue()).isEqualTo(shown);
        assertThat(row().get("context_used").doubleValue()).isEqualTo(shown);
    }

    @Test
    void it_stays_until_a_heartbeat_has_another_and_through_changes_of_status() {
        agent.sendHeartbeat("active", ",\"context_used\":0.4");
        agent.sendHeartbeat("active", ",\"context_used\":null");
        agent.sendHeartbeat();
        assertThat(record().get("context_used").doubleValue()).isEqualTo(0.4);
        agent.becomeUnhealthy();
        assertThat(record().get("context_used").doubleValue()).isEqualTo(0.4);
        agent.sendHeartbeat("active", ",\"context_used\":0.9");
        assertThat(record().get("status").textValue()).isEqualTo("active");
        assertThat(record().get("context_used").doubleValue()).isEqualTo(0.9);
        agent.deregister();
        agent.register("");
        assertThat(record().has("context_used")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.1", "1.001", "\"full\"", "true", "[]", "{}", "1e300"})
    void a_bad_value_is_a_warning_and_the_heartbeat_counts(String sent) {
        agent.sendHeartbeat("active", ",\"context_used\":0.4");
        long before = agent.pulse().heartbeatCount();
        Response answer = agent.sendHeartbeat("active", ",\"current_load\":3,\"context_used\":" + sent);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("warnings"))
                .extracting(warning -> warning.get("field").textValue())
                .containsExactly("context_used");
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(before + 1);
        assertThat(agent.pulse().workload().load()).isEqualTo(3);
        assertThat(record().get("context_used").doubleValue()).isEqualTo(0.4);
    }

    @Test
    void it_costs_no_request_more() {
        agent.sendHeartbeat();
        system.meter().reset();
        agent.sendHeartbeat("active", ",\"context_used\":0.4");
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
    }
}
