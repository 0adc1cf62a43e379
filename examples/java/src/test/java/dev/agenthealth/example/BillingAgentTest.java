package dev.agenthealth.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example as its README does. */
@Timeout(300)
@Tag("slow")
class BillingAgentTest {

    private static final String KEY = "test-administrator-key";
    private static final long LIMIT_SECONDS = 180;

    @Test
    void the_java_example_works_fails_drains_and_comes_back(@TempDir Path folder) throws Exception {
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .sweepPeriod(Duration.ofSeconds(1))
                .out(new PrintStream(OutputStream.nullOutputStream()));
        Path output = folder.resolve("output");
        try (LocalSystem system = LocalSystem.start(options)) {
            ProcessBuilder agent = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.agenthealth.example.BillingAgent")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            agent.environment().put("AGENT_HEALTH_URL", system.baseUrl());
            agent.environment().put("AGENT_HEALTH_KEY", agentKey(system));
            Process process = agent.start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String printed = Files.readString(output);

            assertThat(ended).as(printed).isTrue();
            assertThat(process.exitValue()).as(printed).isZero();
            assertThat(printed.lines().filter(line -> line.startsWith("paid"))).hasSize(10);
            assertThat(printed)
                    .containsSubsequence(
                            "failed invoice 4: time-out",
                            "asked to drain: new version",
                            "drained, 6 invoices are left",
                            "back again, incarnation 2",
                            "failed invoice 9: time-out",
                            "executions 12, time-outs 2, health degraded",
                            "decision of a caller: degraded, few requests succeed");
        }
    }

    private static String agentKey(LocalSystem system) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(system.baseUrl() + "/v1/admin/keys"))
                .header("X-API-Key", KEY)
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"role\":\"agent\",\"name\":\"example\"}", StandardCharsets.UTF_8))
                .build();
        String answer = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
        return answer.replaceAll("(?s).*\"api_key\":\"([^\"]*)\".*", "$1");
    }
}
