package dev.agenthealth.functions.registry.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.testkit.Resources;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Workflows over HTTP (RFC-0016 §12). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-32")
class WorkflowTest {

    @AutoClose
    private TestSystem system;

    private WorkflowClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new WorkflowClient(system);
    }

    @Test
    void the_example_of_the_specification_is_accepted() {
        Response response = client.put("example", Resources.text("rfc-0016/workflow.yaml"));
        assertThat(response.status()).as(response.text()).isEqualTo(201);
        assertThat(response.header("ETag")).isEqualTo("\"1\"");
        assertThat(response.json())
                .isEqualTo(Json.stored(
                        """
                                {"name": "example", "version": 1, "updated_at": "%s", "agents": {
                                  "billing-processor": {
                                    "role_id": "billing-processor",
                                    "capabilities": ["billing", "invoicing", "stripe-integration"],
                                    "capacity": {"max_concurrent_tasks": 5},
                                    "heartbeat": {"interval_seconds": 30, "unhealthy_after_seconds": 90, "dead_after_seconds": 300},
                                    "drain_timeout_seconds": 120,
                                    "pool": {"min_instances": 1, "max_instances": 5}, "contact": "", "runbook_url": ""},
                                  "code-reviewer": {
                                    "role_id": "code-reviewer",
                                    "capabilities": ["code-review", "linting"],
                                    "capacity": {"max_concurrent_tasks": 3},
                                    "heartbeat": {"interval_seconds": 60, "unhealthy_after_seconds": 180, "dead_after_seconds": 600},
                                    "drain_timeout_seconds": 120,
                                    "pool": {"min_instances": 0, "max_instances": null}, "contact": "", "runbook_url": ""}}}
                                """
                                .formatted(Timestamps.text(system.clock().instant()))));
        assertThat(client.workflow("example").json()).isEqualTo(response.json());
        assertThat(client.workflow("example").header("ETag")).isEqualTo("\"1\"");
        assertThat(client.delete(TestSystem.COORDINATOR_KEY, "example").status())
                .isEqualTo(204);
    }

    @Test
    void json_and_yaml_are_equivalent() {
        String name = client.newName();
        JsonNode yaml = client.declare(
                name, "agents:\n  same-role:\n    drain_timeout_seconds: 7\n    pool: {min_instances: 2}\n");
        JsonNode json = client.declare(
                name,
                """
                        {"agents": {"same-role": {"drain_timeout_seconds": 7, "pool": {"min_instances": 2}}}}\
                        """);
        assertThat(json).isEqualTo(yaml);
        byte[] bytes = "agents: {same-role: }".getBytes(StandardCharsets.UTF_8);
        Response binary = system.api()
                .put(WorkflowClient.WORKFLOWS + "/" + name)
                .key(TestSystem.COORDINATOR_KEY)
                .body(bytes)
                .send();
        assertThat(binary.status()).as(binary.text()).isEqualTo(200);
    }

    @Test
    @Tag("R16-32")
    void a_drain_timeout_may_stand_inside_of_the_heartbeat() {
        String name = client.newName();
        JsonNode inside = client.declare(
                name,
                "agents:\n  inside-1:\n    heartbeat:\n      interval_seconds: 10\n      drain_timeout_seconds: 60\n");
        assertThat(inside.at("/agents/inside-1/drain_timeout_seconds").intValue())
                .isEqualTo(60);
        assertThat(inside.at("/agents/inside-1/heartbeat").has("drain_timeout_seconds"))
                .isFalse();
        JsonNode both = client.declare(
                name, "agents: {inside-1: {heartbeat: {drain_timeout_seconds: 7}, drain_timeout_seconds: 7}}");
        assertThat(both.at("/agents/inside-1/drain_timeout_seconds").intValue()).isEqualTo(7);
        for (String refused : List.of("8, x: 1", "true", "0", "\"7\"", "[7]", "1e1")) {
            Response response = client.put(
                    name,
                    "agents: {inside-1: {heartbeat: {drain_timeout_seconds: " + refused
                            + "}, drain_timeout_seconds: 7}}");
            assertThat(response.status()).as(response.text()).isEqualTo(400);
            assertThat(response.json().path("errors").findValuesAsText("field"))
                    .contains("agents.inside-1.heartbeat.drain_timeout_seconds");
        }
    }

    @Test
    @Tag("R16-32")
    void a_workflow_written_again_unchanged_keeps_its_version() {
        String name = client.newName();
        String file = "agents:\n  once-a: {pool: {min_instances: 1}}\n  once-b:\n";
        JsonNode first = client.declare(name, file);
        system.clock().advanceSeconds(5);
        Response again = client.put(name, file);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json()).isEqualTo(first);
        assertThat(again.header("ETag")).isEqualTo("\"1\"");
        assertThat(client.workflow(name).json()).isEqualTo(first);
        JsonNode reordered = client.declare(name, "agents:\n  once-b:\n  once-a: {pool: {min_instances: 1}}\n");
        assertThat(reordered.get("version").intValue()).isEqualTo(2);
    }

    @Test
    void the_settings_of_an_entry_are_optional() {
        JsonNode agents = client.declare(
                        client.newName(),
                        "agents:\n  bare:\n  named: {role_id: other-name}\n  partial: {heartbeat: {interval_seconds: 10}}\n")
                .get("agents");
        assertThat(agents.get("bare"))
                .isEqualTo(
                        Json.stored(
                                """
                                {"role_id": "bare", "capabilities": [], "capacity": {"max_concurrent_tasks": null},
                                 "heartbeat": {"interval_seconds": 30, "unhealthy_after_seconds": 90, "dead_after_seconds": 300},
                                 "drain_timeout_seconds": 120, "pool": {"min_instances": 0, "max_instances": null}, "contact": "", "runbook_url": ""}
                                """));
        assertThat(agents.get("named").get("role_id").textValue()).isEqualTo("other-name");
        assertThat(agents.get("partial")
                        .get("heartbeat")
                        .get("interval_seconds")
                        .intValue())
                .isEqualTo(10);
    }

    @Test
    void other_sections_of_the_file_are_ignored() {
        String name = client.newName();
        JsonNode json = client.declare(
                name,
                """
                openintent: "1.0"
                info: {name: Example, version: 1.0}
                workflow:
                  step: {title: x, assign: others-role, depends_on: [a, b]}
                agents: {others-role: {pool: {min_instances: 1, max_instances: 1}}}
                """);
        assertThat(json.properties())
                .extracting(e -> e.getKey())
                .containsExactly("name", "version", "updated_at", "agents");
    }

    @Test
    void every_change_increments_the_version_and_if_match_is_checked() {
        String name = client.newName();
        String body = "agents: {" + name + ": {drain_timeout_seconds: %d}}";
        assertThat(client.put(name, body.formatted(1), "if-match", "*").status())
                .isEqualTo(412);
        assertThat(client.put(name, body.formatted(1)).status()).isEqualTo(201);
        system.clock().advanceSeconds(5);
        Response second = client.put(name, body.formatted(2));
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.header("ETag")).isEqualTo("\"2\"");
        assertThat(second.json().get("updated_at").textValue())
                .isEqualTo(Timestamps.text(system.clock().instant()));
        Response outdated = client.put(name, body.formatted(2), "if-match", "\"1\"");
        assertThat(outdated.status()).isEqualTo(412);
        assertThat(outdated.header("ETag")).isEqualTo("\"2\"");
        assertThat(client.put(name, body.formatted(3), "if-match", "2").status())
                .isEqualTo(200);
        assertThat(client.put(name, body.formatted(4), "if-match", "*").status())
                .isEqualTo(200);
        assertThat(client.workflow(name).json().get("version").intValue()).isEqualTo(4);
    }

    @Test
    void if_none_match_creates_a_workflow_and_replaces_none() {
        String name = client.newName();
        String body = "agents: {" + name + ": }";
        assertThat(client.put(name, body, "if-none-match", "*").status()).isEqualTo(201);
        Response refused = client.put(name, body, "if-none-match", "*");
        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.header("ETag")).isEqualTo("\"1\"");
        assertThat(client.put(name, body, "if-none-match", "\"2\", W/\"1\"").status())
                .isEqualTo(412);
        assertThat(client.put(name, body, "if-none-match", "\"2\"").status()).isEqualTo(200);
        assertThat(client.put(name, body, "if-match", "\"1\", \"2\"").status()).isEqualTo(200);
    }

    @Test
    void a_workflow_is_accepted_as_it_was_read() {
        String name = client.newName();
        JsonNode read = client.declare(name, "agents: {" + name + ": {capabilities: [a], pool: {min_instances: 1}}}");
        JsonNode written = client.declare(name, read.toString());
        assertThat(written.get("agents")).isEqualTo(read.get("agents"));
    }

    @Test
    void a_role_is_declared_by_at_most_one_workflow() {
        String first = client.newName();
        String second = client.newName();
        client.declare(first, "agents: {wanted: , given-up: }");
        Response refused = client.put(second, "agents: {x: {role_id: wanted}}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("role_declared");
        assertThat(refused.json().get("detail").textValue()).contains("wanted", first);
        assertThat(client.workflow(second).status()).isEqualTo(404);

        client.declare(first, "agents: {given-up: }");
        client.declare(second, "agents: {x: {role_id: wanted}}");
        assertThat(client.delete(TestSystem.COORDINATOR_KEY, second).status()).isEqualTo(204);
        client.declare(first, "agents: {wanted: }");
    }

    @Test
    void a_workflow_of_fifty_roles_is_accepted_and_can_be_replaced_in_two_steps() {
        String name = client.newName();
        client.declare(name, agents("old-", 50));
        Response tooMuch = client.put(name, agents("new-", 50));
        assertThat(tooMuch.status()).isEqualTo(400);
        assertThat(tooMuch.json().get("errors").get(0).get("field").textValue()).isEqualTo("agents");
        client.declare(name, agents("new-", 47));
        client.declare(name, agents("new-", 50));
        assertThat(client.put(name, agents("new-", 51)).status()).isEqualTo(400);
        assertThat(client.delete(TestSystem.COORDINATOR_KEY, name).status()).isEqualTo(204);
        client.declare(client.newName(), agents("old-", 50));
    }

    private static String agents(String prefix, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> "  " + prefix + i + ":\n")
                .collect(Collectors.joining("", "agents:\n", ""));
    }

    @Test
    void the_list_is_paged_and_omits_deleted_workflows() {
        try (TestSystem own = new TestSystem()) {
            WorkflowClient empty = new WorkflowClient(own);
            assertThat(empty.get(WorkflowClient.WORKFLOWS).json()).isEqualTo(Json.stored("{\"workflows\":[]}"));
            for (String name : List.of("c", "a", "b", "d")) {
                empty.declare(name, "agents: {role-" + name + "-2: , role-" + name + "-1: }");
            }
            empty.delete(TestSystem.ADMINISTRATOR_KEY, "d");
            List<String> names = new ArrayList<>();
            String token = "";
            do {
                JsonNode page = empty.page(WorkflowClient.WORKFLOWS, "2", token).json();
                page.get("workflows").forEach(w -> names.add(w.get("name").textValue() + w.get("roles")));
                token = page.path("next_token").asText("");
            } while (!token.isEmpty());
            assertThat(names)
                    .containsExactly(
                            "a[\"role-a-2\",\"role-a-1\"]",
                            "b[\"role-b-2\",\"role-b-1\"]",
                            "c[\"role-c-2\",\"role-c-1\"]");
        }
    }

    @Test
    void unknown_workflows_are_not_found() {
        assertThat(client.workflow("unknown").status()).isEqualTo(404);
        Response deletion = client.delete(TestSystem.COORDINATOR_KEY, "unknown");
        assertThat(deletion.status()).isEqualTo(404);
        assertThat(deletion.json().get("error").textValue()).isEqualTo("workflow_not_found");
        assertThat(client.put("-no-id", "agents: {}").status()).isEqualTo(400);
    }

    @Test
    void only_authorized_keys_may_read_and_change_workflows() {
        String name = client.newName();
        String body = "agents: {" + name + ": }";
        system.addKey("one-role-key", Role.COORDINATOR, Set.of("some-role"));
        for (String key : List.of(TestSystem.AGENT_KEY, "one-role-key")) {
            assertThat(client.put(key, name, body).status()).isEqualTo(403);
            assertThat(client.delete(key, name).status()).isEqualTo(403);
        }
        assertThat(client.put("", name, body).status()).isEqualTo(401);
        assertThat(client.put(TestSystem.ADMINISTRATOR_KEY, name, body).status())
                .isEqualTo(201);
        String path = WorkflowClient.WORKFLOWS + "/" + name;
        for (String readable : List.of(path, WorkflowClient.WORKFLOWS)) {
            assertThat(client.get(TestSystem.AGENT_KEY, readable).status()).isEqualTo(403);
            assertThat(client.get("unknown-key", readable).status()).isEqualTo(401);
            assertThat(client.get("one-role-key", readable).status()).isEqualTo(readable.equals(path) ? 403 : 200);
            assertThat(client.get(TestSystem.ADMINISTRATOR_KEY, readable).status())
                    .isEqualTo(200);
        }
        assertThat(client.delete(TestSystem.ADMINISTRATOR_KEY, name).status()).isEqualTo(204);
    }

    @Test
    void concurrent_writes_are_serialized_and_not_mixed() {
        String name = client.newName();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 10; i++) {
            String left = "agents: {left-" + i + ": , shared: {drain_timeout_seconds: 1}}";
            String right = "agents: {shared: {drain_timeout_seconds: 2}, right-" + i + ": }";
            List<CompletableFuture<Response>> puts = List.of(
                    CompletableFuture.supplyAsync(() -> client.put(name, left), threads),
                    CompletableFuture.supplyAsync(() -> client.put(name, right), threads));
            puts.forEach(
                    put -> assertThat(put.join().status()).as(put.join().text()).isIn(200, 201));
            JsonNode after = client.workflow(name).json();
            assertThat(after.get("version").intValue()).isEqualTo(2 * (i + 1));
            boolean leftWon = after.get("agents").has("left-" + i);
            assertThat(after.get("agents").has("right-" + i)).isNotEqualTo(leftWon);
            assertThat(new GroupStore(system.database())
                            .role("shared")
                            .defaults()
                            .drainTimeout()
                            .toSeconds())
                    .isEqualTo(leftWon ? 1 : 2);
            assertThat(new GroupStore(system.database()).role("left-" + i).declared())
                    .isEqualTo(leftWon);
            assertThat(new GroupStore(system.database()).role("right-" + i).declared())
                    .isNotEqualTo(leftWon);
        }
        threads.shutdown();
    }

    @Test
    void of_two_workflows_that_concurrently_declare_a_role_one_succeeds() {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 10; i++) {
            String body = "agents: {contested-" + i + ": }";
            List<CompletableFuture<Response>> puts = IntStream.range(0, 2)
                    .mapToObj(n -> CompletableFuture.supplyAsync(() -> client.put(client.newName(), body), threads))
                    .toList();
            assertThat(puts).extracting(put -> put.join().status()).containsExactlyInAnyOrder(201, 409);
        }
        threads.shutdown();
    }
}
