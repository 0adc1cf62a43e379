package dev.agenthealth.functions.operations.problems;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.identity.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemRoutesTest {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;

    @AutoClose
    private final ProblemHarness problems = new ProblemHarness();

    @Test
    void a_dead_agent_is_an_open_problem_until_it_registers_again() {
        problems.dies("a", "r");
        problems.run();
        JsonNode problem = problems.problem("agent:a");
        assertThat(problem.toString())
                .isEqualTo(
                        "{\"problem_id\":\"" + ProblemId.of("agent:a")
                                + "\",\"kind\":\"lifecycle\",\"state\":\"open\",\"severity\":\"error\",\"agent_id\":\"a\",\"role_id\":\"r\","
                                + "\"title\":\"a\",\"label\":\"dead\",\"reason\":\"No heartbeat arrived.\","
                                + "\"summary\":\"Agent a is dead: no heartbeat arrived.\",\"opened_at\":\"2026-02-08T10:00:00.000Z\",\"occurrences\":1,"
                                + "\"last_event\":{\"event_id\":\"e1\",\"type\":\"agent.lifecycle\",\"at\":\"2026-02-08T10:00:00.000Z\"},"
                                + "\"url\":\""
                                + problem.path("url").asText()
                                + "\",\"timeline\":[{\"at\":\"2026-02-08T10:00:00.000Z\",\"what\":\"opened\",\"severity\":\"error\"}]}");
        assertThat(problem.path("url").asText())
                .endsWith("/#/problems/" + problem.path("problem_id").asText());
        problems.system.clock().advanceSeconds(60);
        problems.lifecycle("a", "r", "active", "re_registered");
        problems.run();
        assertThat(problems.state("agent:a")).isEqualTo("resolved");
        assertThat(problems.problem("agent:a").path("resolved_at").asText()).isEqualTo("2026-02-08T10:01:00.000Z");
        assertThat(problems.list(ADMIN)).isEmpty();
        assertThat(problems.list(ADMIN, "state", "resolved")).hasSize(1);
        problems.system.clock().advanceSeconds(7 * 86_400);
        assertThat(problems.list(ADMIN, "state", "all")).isEmpty();
    }

    @Test
    void problems_are_listed_by_severity_and_then_from_the_newest_on_in_pages() {
        problems.event("agent.clock_drift", "\"agent_id\":\"a\",\"drift_ms\":9000");
        problems.system.clock().advanceSeconds(1);
        IntStream.range(0, 4).forEach(i -> {
            problems.dies("d" + i, "r");
            problems.system.clock().advanceSeconds(1);
        });
        problems.event("registry.blackout", "\"severity\":\"critical\"");
        problems.run();
        List<String> all = problems.list(ADMIN);
        assertThat(all).hasSize(6);
        assertThat(all.get(0)).startsWith("The registry fails");
        assertThat(all.subList(1, 5))
                .extracting(summary -> summary.split(" ")[1])
                .containsExactly("d3", "d2", "d1", "d0");
        List<String> paged = new ArrayList<>();
        String token = "";
        do {
            var request =
                    problems.system.api().get("/api/v1/problems").key(ADMIN).query("limit", "2");
            Response page = (token.isEmpty() ? request : request.query("next_token", token)).send();
            page.json()
                    .path("problems")
                    .forEach(one -> paged.add(one.path("summary").asText()));
            token = page.json().path("next_token").asText();
        } while (!token.isEmpty());
        assertThat(paged).isEqualTo(all);
        assertThat(problems.list(ADMIN, "severity", "critical,warning")).hasSize(2);
        assertThat(problems.list(ADMIN, "agent_id", "d1")).hasSize(1);
        assertThat(problems.list(ADMIN, "role_id", "r")).hasSize(4);
    }

    @Test
    void only_operators_see_why_an_agent_was_blocked() {
        problems.event(
                "agent.trust", "\"severity\":\"warning\",\"agent_id\":\"a\",\"action\":\"blocked\",\"revision\":1");
        problems.run();
        assertThat(problems.problem("agent.trust:a").path("reason").asText()).isEqualTo("Was blocked.");
        TestAgent agent = TestAgent.registered(problems.system, "a");
        problems.system
                .api()
                .post("/v1/admin/agents/a/block")
                .key(ADMIN)
                .body("{\"reason\":\"under review\"}")
                .send();
        assertThat(problems.problem("agent.trust:a").path("reason").asText()).isEqualTo("Was blocked: under review");
        assertThat(problems.system
                        .api()
                        .get("/api/v1/problems/" + ProblemId.of("agent.trust:" + agent.id()))
                        .key(TestSystem.AGENT_KEY)
                        .send()
                        .text())
                .contains("Was blocked.")
                .doesNotContain("under review");
    }

    @Test
    void a_stop_is_named_by_its_agents() {
        problems.event("registry.stopped", "\"severity\":\"warning\",\"stop\":\"agent:reports-1\"");
        problems.event("registry.stopped", "\"severity\":\"warning\",\"stop\":\"role:billing\"");
        problems.event("registry.stopped", "\"severity\":\"warning\",\"stop\":\"all\"");
        problems.run();
        JsonNode ofAgent = problems.problem("registry:stop/agent:reports-1");
        assertThat(ofAgent.path("title").asText()).isEqualTo("Stop of agent reports-1");
        assertThat(ofAgent.path("label").asText()).isEqualTo("stopped");
        assertThat(ofAgent.path("agent_id").asText()).isEqualTo("reports-1");
        JsonNode ofRole = problems.problem("registry:stop/role:billing");
        assertThat(ofRole.path("title").asText()).isEqualTo("Stop of role billing");
        assertThat(ofRole.path("role_id").asText()).isEqualTo("billing");
        assertThat(problems.problem("registry:stop/all").path("title").asText()).isEqualTo("Stop of all agents");
    }

    @Test
    void an_acknowledgement_says_who_takes_care_and_until_when() {
        problems.dies("a", "r");
        problems.run();
        assertThat(problems.post(
                                TestSystem.COORDINATOR_KEY,
                                "agent:a",
                                "acknowledge",
                                "{\"note\":\"on it\",\"for_seconds\":60}")
                        .json()
                        .path("acknowledgement")
                        .toString())
                .isEqualTo(
                        "{\"by\":\"" + TestSystem.keyId(TestSystem.COORDINATOR_KEY)
                                + "\",\"by_name\":\"test-coordinator-key\",\"at\":\"2026-02-08T10:00:00.000Z\",\"note\":\"on it\",\"until\":\"2026-02-08T10:01:00.000Z\"}");
        assertThat(problems.list(ADMIN, "state", "acknowledged")).hasSize(1);
        assertThat(problems.list(ADMIN, "state", "open")).isEmpty();
        problems.system.clock().advanceSeconds(60);
        assertThat(problems.state("agent:a")).isEqualTo("open");
        assertThat(problems.problem("agent:a").has("acknowledgement")).isFalse();
        assertThat(problems.post(ADMIN, "agent:a", "acknowledge", "")
                        .json()
                        .at("/acknowledgement/until")
                        .asText())
                .isEqualTo("2026-03-10T10:01:00.000Z");
    }

    @Test
    void a_dismissed_problem_is_closed_until_it_occurs_anew() {
        problems.event(
                "pool.below_minimum",
                """
                        "role_id":"r","active_instances":1,"min_instances":2,"severity":"error"\
                        """);
        problems.run();
        assertThat(problems.post(ADMIN, "pool:r", "dismiss", "{\"note\":\"meant so\"}")
                        .status())
                .isEqualTo(200);
        assertThat(problems.state("pool:r")).isEqualTo("dismissed");
        JsonNode dismissal = problems.problem("pool:r").path("dismissal");
        assertThat(dismissal.path("note").asText()).isEqualTo("meant so");
        problems.system.clock().advanceSeconds(1);
        assertThat(problems.post(ADMIN, "pool:r", "dismiss", "").json().path("dismissal"))
                .isEqualTo(dismissal);
        assertThat(problems.post(ADMIN, "pool:r", "acknowledge", "").status()).isEqualTo(409);
        problems.event("pool.recovered", "\"role_id\":\"r\",\"active_instances\":2,\"min_instances\":2");
        problems.system.clock().advanceSeconds(1);
        problems.event(
                "pool.below_minimum",
                """
                        "role_id":"r","active_instances":1,"min_instances":2,"severity":"error"\
                        """);
        problems.run();
        assertThat(problems.state("pool:r")).isEqualTo("open");
        assertThat(problems.problem("pool:r").path("occurrences").asInt()).isEqualTo(2);
    }

    @Test
    void a_coordinator_that_a_dead_agent_does_not_name_does_not_dismiss_it() {
        TestAgent agent = new TestAgent(problems.system, "a");
        assertThat(agent.register(",\"coordinator_key_ids\":[\"another-key\"]").status())
                .isEqualTo(201);
        agent.becomeDead();
        problems.dies("a", "r");
        problems.run();
        assertThat(problems.post(TestSystem.COORDINATOR_KEY, "agent:a", "dismiss", "")
                        .status())
                .isEqualTo(403);
        assertThat(problems.state("agent:a")).isEqualTo("open");
        assertThat(problems.post(ADMIN, "agent:a", "dismiss", "").status()).isEqualTo(200);
    }

    @Test
    void a_dead_agent_whose_problem_is_dismissed_is_gone() {
        TestAgent.registered(problems.system, "a").becomeDead();
        problems.dies("a", "r");
        problems.run();
        assertThat(problems.post(ADMIN, "agent:a", "dismiss", "{\"note\":\"sold\"}")
                        .status())
                .isEqualTo(200);
        JsonNode gone = problems.system
                .api()
                .get("/api/v1/agents")
                .query("verdict", "gone")
                .key(ADMIN)
                .send()
                .json();
        assertThat(gone.at("/agents/0/agent_id").asText()).isEqualTo("a");
        assertThat(problems.state("agent:a")).isEqualTo("dismissed");
    }

    @ParameterizedTest
    @CsvSource({
        "'{\"for_seconds\":2592001}', 400",
        "'{\"for_seconds\":-1}', 400",
        "'{\"for_seconds\":0}', 200",
        "'{\"for_seconds\":60,\"until\":\"2026-02-08T11:00:00Z\"}', 400",
        "'{\"until\":\"2026-02-08T10:00:00Z\"}', 400",
        "'{\"until\":\"2026-03-10T10:00:00.001Z\"}', 400",
        "'{\"until\":\"2026-03-10T10:00:00Z\"}', 200",
        "'{\"who\":\"me\"}', 400",
        "'{\"opened_at\":\"2026-02-08T10:00:00Z\"}', 200",
        "'{\"opened_at\":\"2026-02-08T09:59:59Z\"}', 409"
    })
    void an_acknowledgement_is_checked(String body, int status) {
        problems.dies("a", "r");
        problems.run();
        assertThat(problems.post(ADMIN, "agent:a", "acknowledge", body).status())
                .isEqualTo(status);
    }

    @Test
    void an_acknowledgement_names_who_takes_care_and_is_taken_back() {
        problems.dies("a", "r");
        problems.run();
        problems.post(ADMIN, "agent:a", "acknowledge", "{\"assignee\":\" Ada \",\"for_seconds\":60}");
        assertThat(problems.problem("agent:a").at("/acknowledgement/assignee").asText())
                .isEqualTo("Ada");
        assertThat(problems.state("agent:a")).isEqualTo("acknowledged");
        problems.post(ADMIN, "agent:a", "acknowledge", "{\"for_seconds\":0}");
        assertThat(problems.state("agent:a")).isEqualTo("open");
        assertThat(problems.problem("agent:a").has("acknowledgement")).isFalse();
    }

    @Test
    void what_is_over_cannot_be_acknowledged_or_dismissed() {
        problems.dies("a", "r");
        problems.system.clock().advanceSeconds(1);
        problems.lifecycle("a", "r", "active", "re_registered");
        problems.run();
        for (String what : List.of("acknowledge", "dismiss")) {
            Response refused = problems.post(ADMIN, "agent:a", what, "");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.json().path("error").asText()).isEqualTo("problem_closed");
        }
        assertThat(problems.post(ADMIN, "agent:unknown", "dismiss", "").status())
                .isEqualTo(404);
    }

    @Test
    void a_key_sees_and_changes_the_problems_of_its_roles_and_of_its_own_agents() {
        problems.system.addKey("billing", Role.COORDINATOR, Set.of("billing"));
        problems.system.addKey("viewer", Role.VIEWER, Set.of());
        problems.system
                .api()
                .post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"mine\",\"role_id\":\"billing\"}")
                .send();
        problems.dies("mine", "billing");
        problems.event("agent.clock_drift", "\"agent_id\":\"mine\",\"drift_ms\":9000");
        problems.dies("other", "sales");
        problems.event("registry.blackout", "\"severity\":\"critical\"");
        problems.run();
        assertThat(problems.list("viewer")).hasSize(3);
        assertThat(problems.list("billing")).hasSize(1).allMatch(summary -> summary.contains("mine"));
        assertThat(problems.list(TestSystem.AGENT_KEY)).isEqualTo(problems.list("billing"));
        assertThat(problems.list(TestSystem.OTHER_AGENT_KEY)).isEmpty();
        assertThat(problems.post("viewer", "agent:mine", "acknowledge", "").status())
                .isEqualTo(403);
        assertThat(problems.post("billing", "agent:other", "dismiss", "").status())
                .isEqualTo(404);
        assertThat(problems.post(TestSystem.OTHER_AGENT_KEY, "agent:mine", "acknowledge", "")
                        .status())
                .isEqualTo(404);
        assertThat(problems.post(TestSystem.AGENT_KEY, "agent:mine", "acknowledge", "")
                        .status())
                .isEqualTo(200);
        assertThat(problems.post(TestSystem.AGENT_KEY, "agent:mine", "dismiss", "")
                        .status())
                .isEqualTo(403);
        assertThat(problems.post("billing", "agent:mine", "dismiss", "").status())
                .isEqualTo(200);
    }

    @Test
    void the_owner_of_an_archived_agent_sees_its_problem_in_lists() {
        TestAgent agent = TestAgent.registered(problems.system, "a");
        agent.becomeDead();
        problems.dies("a", "");
        problems.run();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        problems.system.addKey("billing", Role.COORDINATOR, Set.of("billing"));
        assertThat(problems.list(TestSystem.AGENT_KEY)).hasSize(1);
        assertThat(problems.list(TestSystem.OTHER_AGENT_KEY)).isEmpty();
        assertThat(problems.list("billing")).isEmpty();
    }

    @Test
    void a_page_ends_where_a_request_has_read_a_thousand_problems() {
        IntStream.range(0, 1_100).forEach(i -> problems.dies("x" + i, "r"));
        problems.run();
        Response first = problems.system
                .api()
                .get("/api/v1/problems")
                .key(ADMIN)
                .query("role_id", "none")
                .send();
        assertThat(first.json().path("problems")).isEmpty();
        Response last = problems.system
                .api()
                .get("/api/v1/problems")
                .key(ADMIN)
                .query("role_id", "none")
                .query("next_token", first.json().path("next_token").asText())
                .send();
        assertThat(last.json().has("next_token")).isFalse();
    }
}
