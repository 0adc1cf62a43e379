package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** When the answer to a heartbeat asks for the next one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
class NextHeartbeatTest {

    private static final String NEXT = "next_heartbeat_in_seconds";
    private static final String LONG_THRESHOLDS =
            ",\"heartbeat_config\":{\"interval_seconds\":30,\"unhealthy_after_seconds\":600,\"dead_after_seconds\":1200}";

    @AutoClose
    private TestSystem system;

    private int agents;

    @BeforeAll
    void open() {
        system = new TestSystem();
    }

    @Test
    void an_agent_that_obeys_sends_a_heartbeat_every_interval() {
        TestAgent agent = TestAgent.registered(system, "agent" + agents++);
        List<Integer> waits = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int wait = agent.sendHeartbeat().json().path(NEXT).intValue();
            waits.add(wait);
            system.clock().advanceSeconds(wait);
        }
        assertThat(waits.get(0)).isBetween(15, 45);
        assertThat(waits.subList(1, 4)).containsOnly(30);
    }

    @Test
    void a_stretch_of_the_template_holds_for_agents_whose_thresholds_allow_it() {
        TestApi stretching =
                new TestApi(List.of(new HeartbeatFunction(system.wiring(Map.of("HEARTBEAT_STRETCH_PERCENT", "300")))));
        TestAgent patient = new TestAgent(system, "agent" + agents++);
        assertThat(patient.register(LONG_THRESHOLDS).status()).isEqualTo(201);
        TestAgent usual = TestAgent.registered(system, "agent" + agents++);
        for (TestAgent agent : List.of(patient, usual)) {
            JsonNode answer = agent.sendHeartbeat(stretching).json();
            system.clock().advanceSeconds(answer.path(NEXT).intValue());
            answer = agent.sendHeartbeat(stretching).json();
            assertThat(answer.path(NEXT).intValue()).isEqualTo(agent == patient ? 90 : 45);
        }
    }

    @Test
    void agents_of_a_batch_are_asked_to_send_the_next_one_together() {
        List<TestAgent> fleet = new ArrayList<>();
        StringBuilder batch = new StringBuilder();
        for (int i = 0; i < 10; i++) {
            fleet.add(TestAgent.registered(system, "agent" + agents++));
            batch.append(i == 0 ? "" : ",")
                    .append("{\"agent_id\":\"")
                    .append(fleet.get(i).id())
                    .append("\"}");
        }
        JsonNode answer = send(batch.toString());
        int wait = answer.path(NEXT).intValue();
        assertThat(answer.path("results").findValues(NEXT)).hasSize(10).allMatch(asked -> asked.intValue() == wait);
        system.clock().advanceSeconds(wait);
        assertThat(send(batch.toString()).path(NEXT).intValue()).isEqualTo(30);
    }

    @Test
    void a_batch_is_asked_for_as_soon_as_one_of_its_agents_needs() {
        TestAgent usual = TestAgent.registered(system, "agent" + agents++);
        TestAgent often = new TestAgent(system, "agent" + agents++);
        assertThat(often.register(",\"heartbeat_config\":{\"interval_seconds\":2}")
                        .status())
                .isEqualTo(201);
        JsonNode answer = send("{\"agent_id\":\"unknown\"},{\"agent_id\":\"" + usual.id() + "\"},{\"agent_id\":\""
                + often.id() + "\"}");
        assertThat(answer.at("/results/0").has(NEXT)).isFalse();
        assertThat(answer.at("/results/1/" + NEXT).intValue()).isGreaterThanOrEqualTo(15);
        assertThat(answer.path(NEXT)).isEqualTo(answer.at("/results/2/" + NEXT));
        assertThat(send("{\"agent_id\":\"unknown\"}").has(NEXT)).isFalse();
    }

    @Test
    void an_agent_whose_drain_is_complete_is_asked_for_no_heartbeat() {
        TestAgent agent = TestAgent.registered(system, "agent" + agents++);
        agent.sendHeartbeat("draining", ",\"current_load\":1");
        assertThat(agent.sendHeartbeat("draining", ",\"current_load\":1").json().has(NEXT))
                .isTrue();
        JsonNode last = agent.sendHeartbeat("draining", ",\"current_load\":0").json();
        assertThat(last.path("agent_status").textValue()).isEqualTo("deregistered");
        assertThat(last.has(NEXT)).isFalse();
    }

    @Test
    void a_stretch_out_of_range_stops_the_function_from_starting() {
        var wiring = system.wiring(Map.of("HEARTBEAT_STRETCH_PERCENT", "99"));
        assertThatThrownBy(() -> new HeartbeatFunction(wiring)).hasMessageContaining("from 100 to 1000");
    }

    private JsonNode send(String elements) {
        return system.api()
                .post("/api/v1/heartbeats")
                .key(TestSystem.AGENT_KEY)
                .body("{\"heartbeats\":[" + elements + "]}")
                .send()
                .json();
    }
}
