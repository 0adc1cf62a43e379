package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views of a health document (Agent Health State §8). */
class HealthViewsTest {

    private static final String PERSONAL = ",\"personal\":true,\"agent_uri\":\"did:wba:example.com:a\"";
    private static final String OF_ITS_ROLE = "test-coordinator-of-its-role";
    private static final String OF_ANOTHER_ROLE = "test-coordinator-of-another-role";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());
    private final Healths healths = new Healths(system);

    HealthViewsTest() {
        system.addKey(OF_ITS_ROLE, Role.COORDINATOR, Set.of("worker"));
        system.addKey(OF_ANOTHER_ROLE, Role.COORDINATOR, Set.of("other"));
    }

    @Test
    @Tag("AHS-16")
    void authorized_keys_see_the_lifecycle_status_and_score_under_the_registry_s_namespace() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        for (String key :
                List.of(TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY, OF_ITS_ROLE, TestSystem.ADMINISTRATOR_KEY)) {
            assertThat(client.document(agent, key).path("extensions"))
                    .as(key)
                    .isEqualTo(
                            Json.stored(
                                    """
                                    {"dev.agenthealth.measured_at":"2026-02-08T10:00:00.000Z",
                                     "dev.agenthealth.sources":{"gateway":0,"coordinator":0,"self":20,"telemetry":0},"dev.agenthealth.restarts":0,"dev.agenthealth.agent_id":"a",
                                     "dev.agenthealth.lifecycle":{"status":"active"},
                                     "dev.agenthealth.score":{"score":100.00,"state":"Healthy"}}
                                    """));
        }
    }

    @Test
    @Tag("AHS-16")
    void an_agent_without_outcomes_has_no_score() {
        TestAgent agent = TestAgent.registered(system, "a");
        assertThat(client.document(agent, TestSystem.AGENT_KEY)
                        .path("extensions")
                        .path("dev.agenthealth.score"))
                .isEqualTo(Json.stored("{\"score\":null,\"state\":\"Inactive\"}"));
    }

    @Test
    @Tag("AHS-01")
    void a_key_of_another_owner_sees_the_public_document() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        for (String key : List.of(TestSystem.OTHER_AGENT_KEY, OF_ANOTHER_ROLE)) {
            assertThat(client.document(agent, key)).as(key).isEqualTo(client.document(agent));
        }
    }

    @Test
    @Tag("AHS-01")
    void an_unknown_key_is_refused_rather_than_ignored() {
        TestAgent agent = TestAgent.registered(system, "a");
        Response refused = client.ofAgent(agent.id()).key("unknown-key").send();
        assertThat(refused.status()).isEqualTo(401);
        assertThat(client.ofHost().key("unknown-key").send().status()).isEqualTo(401);
    }

    @Test
    @Tag("AHS-11")
    void with_a_key_the_profile_is_current_and_without_one_it_is_of_the_last_computation() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        assertThat(system.api()
                        .patch("/api/v1/agents/a")
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body(
                                """
                                        {"agent_uri":"did:wba:example.com:a",\
                                        "model":{"changed_at":"2026-02-07T10:00:00.000Z"}}\
                                        """)
                        .send()
                        .status())
                .isEqualTo(200);
        for (String key : List.of(TestSystem.AGENT_KEY, TestSystem.OTHER_AGENT_KEY)) {
            JsonNode fresh = client.document(agent, key);
            assertThat(fresh.path("agent_id").asText()).isEqualTo("did:wba:example.com:a");
            assertThat(fresh.path("decay").path("days_since_model_change").asInt(-1))
                    .isEqualTo(1);
        }
        assertThat(client.document(agent).path("agent_id").asText()).isEqualTo("a");
        healths.compute(agent, 20, 0);
        assertThat(client.document(agent).path("agent_id").asText()).isEqualTo("did:wba:example.com:a");
    }

    @Test
    @Tag("AHS-15")
    void the_public_document_of_a_personal_agent_shows_only_whether_it_can_be_called() {
        TestAgent agent = personal();
        healths.compute(agent, 20, 0);
        JsonNode expected = Json.stored(
                """
                {"schema_version":"0.1.0","agent_id":"did:wba:example.com:a","timestamp":"2026-02-08T10:00:00.000Z",
                 "health":{"status":"healthy"},"extensions":{"dev.agenthealth.agent_id":"a"}}
                """);
        assertThat(client.document(agent)).isEqualTo(expected);
        assertThat(client.read(client.ofHost().query("agent_id", "a")).json()).isEqualTo(expected);
        assertThat(client.document(agent, TestSystem.OTHER_AGENT_KEY)).isEqualTo(expected);
        assertThat(client.document(agent, OF_ANOTHER_ROLE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @Tag("AHS-15")
    @CsvSource({"20,0,healthy", "18,2,healthy", "2,18,unhealthy", "9,0,unknown"})
    void a_degraded_personal_agent_is_shown_as_healthy(long successes, long failures, String word) {
        TestAgent agent = personal();
        healths.compute(agent, successes, failures);
        assertThat(client.status(agent)).isEqualTo(word);
    }

    @Test
    @Tag("AHS-15")
    void the_public_document_of_a_personal_agent_does_not_reveal_its_activity_times() {
        TestAgent agent = personal();
        healths.compute(agent, 20, 0);
        agent.becomeUnhealthy();
        assertThat(client.status(agent)).isEqualTo("healthy");
        agent.becomeDead();
        assertThat(client.document(agent).path("health")).isEqualTo(Json.stored("{\"status\":\"unhealthy\"}"));
    }

    @Test
    @Tag("AHS-15")
    void an_agent_that_becomes_personal_has_the_coarse_document_immediately() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        assertThat(client.document(agent).has("calibration")).isTrue();
        assertThat(system.api()
                        .patch("/api/v1/agents/" + agent.id())
                        .key(TestSystem.AGENT_KEY)
                        .header("if-match", "*")
                        .body("{\"personal\":true}")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(client.document(agent).has("calibration")).isFalse();
    }

    @Test
    @Tag("AHS-15")
    void a_personal_agent_has_the_coarse_document_before_its_first_computation() {
        TestAgent agent = personal();
        assertThat(client.document(agent).path("health")).isEqualTo(Json.stored("{\"status\":\"unknown\"}"));
        assertThat(client.document(agent).has("calibration")).isFalse();
    }

    @Test
    @Tag("AHS-15")
    void owner_coordinator_and_administrator_keys_see_the_full_document_of_a_personal_agent() {
        TestAgent agent = personal();
        healths.compute(agent, 18, 2);
        for (String key :
                List.of(TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY, OF_ITS_ROLE, TestSystem.ADMINISTRATOR_KEY)) {
            JsonNode document = client.document(agent, key);
            assertThat(document.path("health").path("status").asText()).as(key).isEqualTo("degraded");
            assertThat(document.has("calibration") && document.has("decay")).isTrue();
        }
    }

    @Test
    @Tag("AHS-15")
    void the_tag_of_a_personal_agent_s_document_reveals_no_more_than_the_document() {
        TestAgent agent = personal();
        healths.compute(agent, 20, 0);
        String tag = client.read(client.ofAgent("a")).header("ETag");
        healths.compute(agent, 38, 2);
        assertThat(client.read(client.ofAgent("a")).header("ETag")).isEqualTo(tag);
        agent.becomeDead();
        assertThat(agent.register(PERSONAL).status()).isEqualTo(201);
        healths.compute(agent, 38, 2);
        assertThat(client.read(client.ofAgent("a")).header("ETag")).isEqualTo(tag);
    }

    private TestAgent personal() {
        TestAgent agent = new TestAgent(system, "a");
        assertThat(agent.register(PERSONAL).status()).isEqualTo(201);
        return agent;
    }
}
