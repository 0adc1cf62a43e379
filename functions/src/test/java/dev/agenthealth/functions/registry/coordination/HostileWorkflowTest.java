package dev.agenthealth.functions.registry.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.Attack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid and malicious workflow files: every error is reported with its field and line. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-32")
@Tag(Attack.TAG)
class HostileWorkflowTest {

    @AutoClose
    private TestSystem system;

    private WorkflowClient client;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new WorkflowClient(system);
    }

    /** A file and the expected errors: field and line. */
    static Stream<Arguments> faults() {
        return Stream.of(
                arguments("", List.of("@1")),
                arguments("   \n", List.of("@1")),
                arguments("# nothing", List.of("@1")),
                arguments("null", List.of("@1")),
                arguments("just a text", List.of("@1")),
                arguments("- a list", List.of("@1")),
                arguments("[1, 2", List.of("@1")),
                arguments("{}", List.of("agents@1")),
                arguments("a: 1\nagents:\n", List.of("agents@2")),
                arguments("agents: 7", List.of("agents@1")),
                arguments("agents: [a]", List.of("agents@1")),
                arguments("agents:\n  a: text", List.of("agents.a@2")),
                arguments("agents:\n  a: []", List.of("agents.a@2")),
                arguments("agents:\n  a b: {}", List.of("agents.a b@2")),
                arguments("agents:\n  '': {}", List.of("agents.@2")),
                arguments("agents:\n  a:\n    role: b", List.of("agents.a.role@3")),
                arguments("agents:\n  a:\n    role_id: b c", List.of("agents.a.role_id@3")),
                arguments("agents:\n  a:\n    role_id: 12", List.of("agents.a.role_id@3")),
                arguments("agents:\n  a:\n    role_id: [x]", List.of("agents.a.role_id@3")),
                arguments("agents:\n  a:\n  b:\n    role_id: a", List.of("agents.b.role_id@4")),
                arguments("agents:\n  a:\n  b: {role_id: c}\n  c:\n", List.of("agents.c.role_id@4")),
                arguments("agents:\n  a:\n    capabilities: billing", List.of("agents.a.capabilities@3")),
                arguments(
                        "agents:\n  a:\n    capabilities:\n      - ok\n      - 1\n      -\n      - x: y",
                        List.of(
                                "agents.a.capabilities[1]@5",
                                "agents.a.capabilities[2]@6",
                                "agents.a.capabilities[3]@7")),
                arguments("agents:\n  a:\n    capabilities: ['two words ']", List.of("agents.a.capabilities[0]@3")),
                arguments("agents:\n  a:\n    capabilities: [\"tab\\there\"]", List.of("agents.a.capabilities[0]@3")),
                arguments(
                        "agents:\n  a:\n    capabilities: ['" + "x".repeat(65) + "']",
                        List.of("agents.a.capabilities[0]@3")),
                arguments(
                        "agents:\n  a:\n    capabilities: [" + "x,".repeat(33) + "]",
                        List.of("agents.a.capabilities@3")),
                arguments("agents:\n  a:\n    capacity: 5", List.of("agents.a.capacity@3")),
                arguments(
                        "agents:\n  a:\n    capacity:\n      max_concurrent_tasks: -1",
                        List.of("agents.a.capacity.max_concurrent_tasks@4")),
                arguments(
                        "agents:\n  a:\n    capacity:\n      max_concurrent_tasks: .nan",
                        List.of("agents.a.capacity.max_concurrent_tasks@4")),
                arguments(
                        "agents:\n  a:\n    capacity:\n      max_concurrent_tasks: '5'",
                        List.of("agents.a.capacity.max_concurrent_tasks@4")),
                arguments(
                        "agents:\n  a:\n    capacity:\n      max_concurrent_tasks: 5.0",
                        List.of("agents.a.capacity.max_concurrent_tasks@4")),
                arguments(
                        "agents:\n  a:\n    capacity:\n      max_concurrent_tasks: 99999999999999999999999999",
                        List.of("agents.a.capacity.max_concurrent_tasks@4")),
                arguments(
                        "agents:\n  a:\n    capacity:\n      current_load: 5",
                        List.of("agents.a.capacity.current_load@4")),
                arguments(
                        "agents:\n  a:\n    heartbeat:\n      interval_seconds: NaN",
                        List.of("agents.a.heartbeat.interval_seconds@4")),
                arguments(
                        "agents:\n  a:\n    heartbeat:\n      interval_seconds: -1",
                        List.of("agents.a.heartbeat.interval_seconds@4")),
                arguments(
                        "agents:\n  a:\n    heartbeat:\n      interval_seconds: 46",
                        List.of("agents.a.heartbeat.unhealthy_after_seconds@3")),
                arguments(
                        "agents:\n  a:\n    heartbeat:\n      dead_after_seconds: 119\n      unhealthy_after_seconds: 59",
                        List.of("agents.a.heartbeat.unhealthy_after_seconds@5")),
                arguments(
                        "agents:\n  a:\n    heartbeat:\n      dead_after_seconds: 100\n      unhealthy_after_seconds: 59",
                        List.of(
                                "agents.a.heartbeat.unhealthy_after_seconds@5",
                                "agents.a.heartbeat.dead_after_seconds@4")),
                arguments("agents:\n  a:\n    drain_timeout_seconds: 0", List.of("agents.a.drain_timeout_seconds@3")),
                arguments(
                        "agents:\n  a:\n    drain_timeout_seconds: 86401", List.of("agents.a.drain_timeout_seconds@3")),
                arguments(
                        "agents:\n  a:\n    drain_timeout_seconds: true", List.of("agents.a.drain_timeout_seconds@3")),
                arguments("agents:\n  a:\n    pool: {min_instances: -1}", List.of("agents.a.pool.min_instances@3")),
                arguments("agents:\n  a:\n    pool:\n      max_instances: 0", List.of("agents.a.pool.max_instances@4")),
                arguments(
                        "agents:\n  a:\n    pool:\n      max_instances: 2\n      min_instances: 3",
                        List.of("agents.a.pool.max_instances@4")),
                arguments("agents:\n  a:\n    pool: {minimum: 1}", List.of("agents.a.pool.minimum@3")),
                arguments(
                        "agents:\n  a:\n    pool: 1\n  b:\n    heartbeat: no\n  c:\n    x: 1",
                        List.of("agents.a.pool@3", "agents.b.heartbeat@5", "agents.c.x@7")),
                // Pitfalls of YAML.
                arguments("agents:\n\ta: {}", List.of("@2")),
                arguments("agents:\n  a:\n  a:\n", List.of("agents.a@3")),
                arguments("{\"agents\": {\"a\": {},\n \"a\": {}}}", List.of("agents.a@2")),
                arguments("agents: {a: }\nother:\n  - {x: 1, x: 2}", List.of("other[0].x@3")),
                arguments("agents: {a: }\nagents: {b: }", List.of("agents@2")),
                arguments("agents:\n  ? {a: b}\n  : c", List.of("agents@2")),
                arguments("agents:\n  ? [a]\n  : c", List.of("agents@2")),
                arguments("agents:\n  a: !!java.net.URL ['http://example.com']", List.of("agents.a@2")),
                arguments(
                        "x: !!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL ['http://example.com']]]]\nagents: {}",
                        List.of("x@1", "x[0]@1", "x[0][0][0]@1")),
                arguments(
                        "agents:\n  a:\n    drain_timeout_seconds: !!int '7'",
                        List.of("agents.a.drain_timeout_seconds@3")),
                arguments("!!map\nagents: {}", List.of("@1")),
                arguments("%TAG ! tag:example.com,2000:\n---\nagents: !x {}", List.of("agents@3")),
                arguments("agents:\n  a: &anchor {}\n", List.of("agents.a@2")),
                arguments("agents:\n  a: &anchor {}\n  b: *anchor", List.of("agents.b@3")),
                arguments("agents: &a\n  b: *a", List.of("agents.b@2")),
                arguments("agents:\n  a: *unknown", List.of("agents.a@2")),
                arguments("a: &a [l]\nagents:\n  <<: *a", List.of("agents.<<@3")),
                arguments("agents: {}\n---\nagents: {}", List.of("@2")),
                arguments("agents: {}\n...\ntrailing", List.of("@3")),
                arguments("agents: {a: \"\\ud800\"}", List.of("@1")),
                arguments("agents: {\"\\ud800\": 1}", List.of("@1")),
                arguments("agents: {}\nx: \u0000", List.of("@2")),
                arguments("agents: {}\nx: 'no end", List.of("@2")),
                arguments("agents: {}\n  x: y", List.of("@2")),
                arguments("x: \"\\x\"\nagents: {}", List.of("@1")));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void every_error_is_reported_with_its_field_and_line(String file, List<String> faults) {
        Response response = client.put("hostile", file);
        assertThat(response.status()).as(response.text()).isEqualTo(400);
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        List<String> named = new ArrayList<>();
        for (JsonNode error : response.json().get("errors")) {
            assertThat(error.get("message").textValue()).matches("(?s).+ \\(line \\d+\\)");
            named.add(error.get("field").textValue() + "@"
                    + error.get("message").textValue().replaceAll("(?s).*\\(line (\\d+)\\)", "$1"));
        }
        // Consequential errors may be reported too; an alias ends the parsing.
        assertThat(named).as(response.text()).containsAll(faults);
        assertThat(client.workflow("hostile").status()).isEqualTo(404);
    }

    @Test
    void nested_aliases_are_not_expanded() {
        StringBuilder file = new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i < 10; i++) {
            file.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ",").repeat(9) + "]\n");
        }
        file.append("agents: {a: {capabilities: *a9}}");
        assertThat(client.put("laughs", file.toString()).status()).isEqualTo(400);
    }

    @Test
    void the_nesting_is_limited_well_below_the_stack_size() {
        for (String opening : List.of("[", "{a: ", "- ", "{\"a\":[")) {
            String deep = "agents: {}\nx:\n " + opening.repeat(60_000 / opening.length());
            Response response = client.put("deep", deep);
            assertThat(response.status()).as(response.text()).isEqualTo(400);
            assertThat(response.json().get("errors").get(0).get("message").textValue())
                    .contains("nested deeper than 20 levels (line 3)");
        }
        String allowed = "x: " + "[".repeat(19) + "]".repeat(19) + "\nagents: {}";
        assertThat(client.put("not-so-deep", allowed).status()).isEqualTo(201);
        assertThat(client.put("too-deep", "x: " + "[".repeat(20) + "]".repeat(20) + "\nagents: {}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void the_size_is_limited() {
        int rest = WorkflowFile.MAX_BYTES - "agents: {}\n#".length();
        assertThat(client.put("large", "agents: {}\n#" + "x".repeat(rest)).status())
                .isEqualTo(201);
        assertThat(client.put("large", "agents: {}\n#" + "x".repeat(rest + 1)).status())
                .isEqualTo(413);
        assertThat(client.put("large", "agents: {}\n#" + "\u00e9".repeat(rest / 2 + 1))
                        .status())
                .isEqualTo(413);
        assertThat(client.put("large", "x".repeat(1 << 20)).status()).isEqualTo(413);
    }

    @Test
    void the_number_of_reported_errors_is_limited() {
        StringBuilder file = new StringBuilder("agents:\n  a:\n");
        for (int i = 0; i < 2_000; i++) {
            file.append("    unknown-" + i + ": 1\n");
        }
        Response response = client.put("faults", file.toString());
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().get("errors")).hasSize(100);
    }

    @Test
    void a_character_of_two_halves_is_read_wherever_it_stands() {
        for (int before = 1_000; before < 1_040; before++) {
            every_error_is_reported_with_its_field_and_line(
                    "#" + "x".repeat(before) + "\uD83D\uDE00\nagents: 7", List.of("agents@2"));
        }
    }

    @Test
    void invalid_text_encodings_are_refused() {
        for (byte[] bytes : List.of(
                new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1}, "agents: {}".getBytes(StandardCharsets.UTF_16LE))) {
            Response response = system.api()
                    .put(WorkflowClient.WORKFLOWS + "/bytes")
                    .key(TestSystem.COORDINATOR_KEY)
                    .body(bytes)
                    .send();
            assertThat(response.status()).isEqualTo(400);
        }
    }
}
