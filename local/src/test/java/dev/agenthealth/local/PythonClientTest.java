package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.testing.PythonProcess;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tests of the Python client, with time that they move and against the local system. */
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

    @Test
    void the_python_client_works_with_the_local_system() throws IOException, InterruptedException {
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .sweepPeriod(Duration.ofSeconds(1))
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options)) {
            String printed = PythonProcess.run(
                    CLIENT,
                    Map.of("AGENT_HEALTH_URL", system.baseUrl(), "AGENT_HEALTH_ADMIN_KEY", KEY),
                    LIMIT,
                    "-m",
                    "unittest",
                    "-v",
                    "tests.test_system");
            assertThat(printed).containsPattern("Ran [0-9]{2,} tests").doesNotContain("skipped");
        }
    }
}
