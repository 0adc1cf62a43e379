package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The event log of an agent (RFC-0016 §2.3, §8.3). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentEventsTest {

    private static final String LIMITED_COORDINATOR = "limited-coordinator";

    @AutoClose
    private TestSystem system;

    private RegistryClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        system.addKey(LIMITED_COORDINATOR, Role.COORDINATOR, Set.of("billing"));
        client = new RegistryClient(system);
    }

    @Test
    @Tag("R16-03")
    @Tag("R16-25")
    void an_event_has_the_form_of_the_specification() {
        TestAgent agent = client.newAgent(",\"role_id\":\"billing\",\"capabilities\":[\"coordinator\"]");
        Instant registered = system.clock().instant();
        system.clock().advanceSeconds(95);
        assertThat(agent.sweep()).isTrue();
        JsonNode event = page(agent, Map.of()).get("events").get(1);
        JsonNode example = Resources.json("rfc-0016/lifecycle-event.json");
        example.fieldNames()
                .forEachRemaining(field ->
                        assertThat(event.path(field).isTextual()).as(field).isTrue());
        assertThat(event.get("type")).isEqualTo(example.get("type"));
        assertThat(event.get("agent_id").textValue()).isEqualTo(agent.id());
        assertThat(event.get("previous_status")).isEqualTo(example.get("previous_status"));
        assertThat(event.get("new_status")).isEqualTo(example.get("new_status"));
        assertThat(event.get("reason")).isEqualTo(example.get("reason"));
        assertThat(event.get("timestamp").textValue())
                .isEqualTo(Timestamps.text(system.clock().instant()));
        assertThat(event.get("deadline_at").textValue()).isEqualTo(Timestamps.text(registered.plusSeconds(90)));
        assertThat(event.get("severity").textValue()).isEqualTo("warning");
        assertThat(event.get("event_id").textValue()).isEqualTo("agent:" + agent.id() + ":2");
        assertThat(event.get("role_id").textValue()).isEqualTo("billing");
        assertThat(event.get("capabilities").get(0).textValue()).isEqualTo("coordinator");
    }

    @Test
    @Tag("R16-03")
    void pages_of_any_size_contain_every_event_once_in_order() {
        TestAgent agent = agentWithEvents(13);
        for (int limit : List.of(1, 2, 3, 6, 12, 13, 14, 1_000)) {
            assertThat(sequences(agent, Map.of("limit", Integer.toString(limit))))
                    .as("limit %d", limit)
                    .isEqualTo(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L, 13L));
        }
        assertThat(page(agent, Map.of()).has("next_token")).isFalse();
    }

    @Test
    @Tag("R16-03")
    void since_excludes_earlier_events() {
        TestAgent agent = client.newAgent("");
        system.clock().advanceSeconds(10);
        Instant second = system.clock().instant();
        agent.deregister();
        system.clock().advanceSeconds(10);
        agent.register("");
        assertThat(sequences(agent, Map.of("since", second.toString()))).containsExactly(2L, 3L);
        assertThat(sequences(agent, Map.of("since", second.plusMillis(1).toString(), "limit", "1")))
                .containsExactly(3L);
        assertThat(sequences(agent, Map.of("since", second.minusSeconds(11).toString())))
                .containsExactly(1L, 2L, 3L);
        for (String ever : List.of("0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z")) {
            assertThat(sequences(agent, Map.of("since", ever))).hasSize(3);
        }
        assertThat(sequences(agent, Map.of("since", "9999-12-31T23:59:59Z"))).isEmpty();
        String withOffset = second.toString().replace("Z", " 00:00");
        assertThat(sequences(agent, Map.of("since", withOffset)))
                .as("an unencoded plus sign arrives as a space")
                .containsExactly(2L, 3L);
    }

    @Test
    @Tag("R16-03")
    void an_expired_event_is_not_returned_even_if_it_is_still_stored() {
        TestAgent agent = client.newAgent("");
        system.clock().advance(Duration.ofDays(80));
        agent.deregister();
        system.clock().advance(Duration.ofDays(10));
        assertThat(sequences(agent, Map.of())).containsExactly(2L);
        agent.register("");
        system.clock().advance(Duration.ofDays(80));
        assertThat(sequences(agent, Map.of("limit", "1"))).containsExactly(3L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("R16-30")
    void the_log_of_a_dead_or_archived_agent_stays_readable(boolean archived) {
        TestAgent agent = client.newAgent("");
        agent.deregister();
        agent.finishCleanUp();
        assertThat(!archived || agent.archive()).isTrue();
        assertThat(sequences(agent, Map.of())).containsExactly(1L, 2L);
    }

    @Test
    @Tag("R16-31")
    @Tag("R16-34")
    void the_agent_its_coordinator_and_administrators_may_read_it() {
        TestAgent agent = client.newAgent(",\"role_id\":\"billing\"");
        TestAgent other = client.newAgent(",\"role_id\":\"other\"");
        for (String key : List.of(
                TestSystem.AGENT_KEY, LIMITED_COORDINATOR, TestSystem.COORDINATOR_KEY, TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(read(key, agent, Map.of()).status()).as(key).isEqualTo(200);
        }
        assertThat(read(TestSystem.OTHER_AGENT_KEY, agent, Map.of()).status()).isEqualTo(403);
        assertThat(read(LIMITED_COORDINATOR, other, Map.of()).status()).isEqualTo(403);
        assertThat(read("unknown-key", agent, Map.of()).status()).isEqualTo(401);
        assertThat(read(TestSystem.ADMINISTRATOR_KEY, new TestAgent(system, "unknown"), Map.of())
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "limit=0, limit",
        "limit=1001, limit",
        "limit=x, limit",
        "since=yesterday, since",
        "since=2026-02-08, since",
        "since=2026-02-08T10:00:00, since",
        "next_token=MTIz, next_token",
        "next_token=%, next_token",
        "next_token=MTc3MDU0NDc5NTAwMA, next_token",
        "limit=0&since=x&next_token=x, limit since next_token"
    })
    @Tag("R16-03")
    void every_bad_parameter_is_named(String parameters, String fields) {
        TestAgent agent = client.newAgent("");
        Map<String, String> query = new HashMap<>();
        for (String parameter : parameters.split("&")) {
            query.put(parameter.split("=")[0], parameter.split("=")[1]);
        }
        Response response = read(TestSystem.AGENT_KEY, agent, query);
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(new HashSet<>(response.json().get("errors").findValuesAsText("field")))
                .isEqualTo(Set.of(fields.split(" ")));
    }

    private TestAgent agentWithEvents(int count) {
        TestAgent agent = client.newAgent("");
        for (int i = 1; i < count; i++) {
            assertThat(
                            i % 2 == 1
                                    ? agent.deregister().status()
                                    : agent.register("").status())
                    .isIn(201, 204);
        }
        return agent;
    }

    private List<Long> sequences(TestAgent agent, Map<String, String> query) {
        List<Long> sequences = new ArrayList<>();
        for (JsonNode page : client.pages(TestSystem.AGENT_KEY, path(agent), query)) {
            page.get("events")
                    .forEach(event -> sequences.add(event.get("sequence").longValue()));
        }
        return sequences;
    }

    private JsonNode page(TestAgent agent, Map<String, String> query) {
        return read(TestSystem.AGENT_KEY, agent, query).json();
    }

    private Response read(String key, TestAgent agent, Map<String, String> query) {
        return client.read(key, path(agent), query);
    }

    private static String path(TestAgent agent) {
        return RegistryClient.AGENTS + "/" + agent.id() + "/events";
    }
}
