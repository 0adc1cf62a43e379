package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.local.testing.PythonProcess;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tests of the Python client, with time that they move and against the local system. */
@Tag("other-programs")
class PythonClientTest {

    private static final String KEY = "test-administrator-key";
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String CLIENT = "clients/python";

    @Test
    void the_python_client_behaves_as_documented_at_each_fault() throws IOException, InterruptedException {
        String printed = PythonProcess.run(
                CLIENT, Map.of("AGENT_HEALTH_URL", ""), LIMIT, "-m", "unittest", "discover", "-s", "tests", "-t", ".");
        assertThat(printed).containsPattern("Ran [0-9]{2,} tests").contains("OK");
    }

    private static LocalSystem system() throws IOException {
        return LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .sweepPeriod(Duration.ofSeconds(1))
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream())));
    }

    @Test
    @Tag("exhaustive")
    void the_python_client_works_with_the_local_system() throws IOException, InterruptedException {
        try (LocalSystem system = system();
                RecordingProxy proxy = new RecordingProxy(system.baseUrl())) {
            String printed = PythonProcess.run(
                    CLIENT,
                    Map.of("AGENT_HEALTH_URL", proxy.url(), "AGENT_HEALTH_ADMIN_KEY", KEY),
                    LIMIT,
                    "-m",
                    "unittest",
                    "-v",
                    "tests.test_scenarios.ScenarioTest.test_scenarios_with_a_real_registry",
                    "tests.test_system",
                    "tests.test_stalled");
            assertThat(printed).containsPattern("Ran [0-9]{2,} tests").doesNotContain("skipped");
            assertThat(proxy.sent()).isNotEmpty();
            assertThat(proxy.faults()).isEmpty();
        }
    }

    @Test
    void the_block_of_the_readme_runs_as_it_stands() throws IOException, InterruptedException {
        String readme = Files.readString(Path.of("../README.md"));
        String block = readme.split("```python\n", 2)[1].split("```", 2)[0];
        try (LocalSystem system = system()) {
            String printed = PythonProcess.run(
                    CLIENT,
                    Map.of("AGENT_HEALTH_URL", system.baseUrl(), "AGENT_HEALTH_KEY", agentKey(system.baseUrl())),
                    LIMIT,
                    "-c",
                    block);
            assertThat(printed).contains("paid invoice_42");
        }
    }

    private static String agentKey(String url) throws IOException {
        byte[] request = "{\"role\":\"agent\",\"name\":\"example\"}".getBytes(StandardCharsets.UTF_8);
        return new JsonMapper()
                .readTree(new HttpCaller(url)
                        .call("POST", "/v1/admin/keys", request, "X-API-Key", KEY)
                        .body())
                .path("api_key")
                .asText();
    }

    @Test
    void the_python_example_works_fails_drains_and_comes_back() throws IOException, InterruptedException {
        try (LocalSystem system = system();
                RecordingProxy proxy = new RecordingProxy(system.baseUrl())) {
            String printed = PythonProcess.run(
                    "examples/python",
                    Map.of("AGENT_HEALTH_URL", proxy.url(), "AGENT_HEALTH_KEY", agentKey(system.baseUrl())),
                    LIMIT,
                    "billing_agent.py");
            assertThat(printed.lines().filter(line -> line.startsWith("paid"))).hasSize(10);
            assertThat(printed)
                    .containsSubsequence(
                            "failed invoice 4",
                            "asked to drain: new version",
                            "drained, 6 invoices are left",
                            "back again",
                            "failed invoice 9",
                            "executions 12, time-outs 2",
                            "registering -> active (registered)",
                            "draining -> deregistered (drain_completed)",
                            "deregistered -> active (re_registered)",
                            "draining -> deregistered (drain_completed)");
            assertThat(proxy.faults()).isEmpty();
        }
    }
}
