package dev.agenthealth.functions.operations.problems;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.operations.sources.Source;
import dev.agenthealth.functions.operations.sources.SourceStore;
import dev.agenthealth.functions.operations.sources.SyncState;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Problems of silent agents name what the agents have in common. */
class ProblemCausesTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;

    @AutoClose
    private final ProblemHarness problems = new ProblemHarness();

    private final TestSystem system = problems.system;

    @Test
    void the_host_of_the_last_process_is_a_cause() {
        register(TestSystem.AGENT_KEY, "a", ",\"instance\":\"worker-3\"");
        register(TestSystem.AGENT_KEY, "b", "");
        problems.lifecycle("a", "", "unhealthy", "heartbeat_timeout");
        problems.dies("b", "");
        problems.run();
        assertThat(cause("agent:a")).isEqualTo("{\"kind\":\"host\",\"id\":\"worker-3\"}");
        assertThat(cause("agent:b")).isEmpty();
    }

    @Test
    void a_revoked_key_is_the_cause_and_goes_before_the_host() {
        JsonNode key = system.api()
                .post("/v1/admin/keys")
                .key(ADMIN)
                .body("{\"role\":\"agent\"}")
                .send()
                .json();
        String keyId = key.path("key_id").asText();
        register(key.path("api_key").asText(), "a", ",\"instance\":\"worker-3\"");
        problems.dies("a", "");
        problems.run();
        assertThat(cause("agent:a")).contains("host");
        assertThat(system.api()
                        .delete("/v1/admin/keys/" + keyId)
                        .key(ADMIN)
                        .send()
                        .status())
                .isEqualTo(204);
        system.sweep().passes(null);
        assertThat(cause("agent:a")).isEqualTo("{\"kind\":\"key\",\"id\":\"" + keyId + "\"}");
    }

    @Test
    void a_source_that_fails_is_the_cause_until_it_is_read_again() {
        register(
                TestSystem.AGENT_KEY,
                "a",
                ",\"instance\":\"worker-3\",\"metadata\":{\"imported_from\":{\"source\":\"partners\",\"identifier\":\"x\"}}");
        problems.dies("a", "");
        problems.run();
        assertThat(cause("agent:a")).contains("host");
        source(false, List.of("The address does not answer."));
        assertThat(cause("agent:a")).isEqualTo("{\"kind\":\"source\",\"id\":\"partners\"}");
        source(true, List.of());
        assertThat(cause("agent:a")).contains("host");
    }

    @Test
    void other_problems_and_closed_problems_have_no_cause() {
        register(TestSystem.AGENT_KEY, "a", ",\"instance\":\"worker-3\"");
        problems.event("agent.clock_drift", "\"agent_id\":\"a\",\"drift_ms\":9000");
        problems.dies("a", "");
        problems.run();
        assertThat(causes()).containsExactly("host");
        problems.lifecycle("a", "", "active", "re_registered");
        problems.run();
        assertThat(cause("agent:a")).isEmpty();
    }

    private void source(boolean complete, List<String> errors) {
        SourceStore sources = new SourceStore(system.database());
        Optional<Source> before = sources.find("partners");
        Instant now = system.clock().instant();
        Source source = new Source(
                "partners",
                "https://a.example/",
                "key_1",
                new Source.Options(Optional.empty(), false),
                now,
                before.map(Source::version).orElse(0L) + 1,
                SyncState.NONE);
        assertThat(sources.write(source, before)).isTrue();
        sources.note(source, new SyncState(now, now, complete, Map.of(), SyncState.NONE.listed(), errors));
    }

    private void register(String key, String agentId, String more) {
        Response response = system.api()
                .post("/api/v1/agents")
                .key(key)
                .body("{\"agent_id\":\"" + agentId + "\"" + more + "}")
                .send();
        assertThat(response.status()).as(response.text()).isEqualTo(201);
    }

    private String cause(String subject) {
        JsonNode cause = problems.problem(subject).path("cause");
        return cause.isMissingNode() ? "" : cause.toString();
    }

    private List<String> causes() {
        return system
                .api()
                .get("/api/v1/problems")
                .key(ADMIN)
                .send()
                .json()
                .path("problems")
                .findValues("cause")
                .stream()
                .map(cause -> cause.path("kind").asText())
                .toList();
    }
}
