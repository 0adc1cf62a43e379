package dev.agenthealth.local.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * Prints the size of the page and when it paints. No test by its name, so that it runs only when it is asked for:
 * {@code mvn test -pl local -am -Dtest=PagePaint -Dsurefire.failIfNoSpecifiedTests=false}. Needs Chromium and ChromeDriver.
 */
class PagePaint {

    private static final String KEY = "test-administrator-key";
    private static final int RUNS = 9;

    @Test
    void measure() throws IOException {
        for (int agents : List.of(0, 200)) {
            try (LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                            .sweepPeriod(Duration.ofSeconds(1))
                            .out(new PrintStream(OutputStream.nullOutputStream())));
                    Browser browser = new Browser(system.baseUrl())) {
                register(new RegistryCaller(system.baseUrl(), KEY), agents);
                browser.enter(KEY);
                browser.refreshesUntilItShows(agents == 0 ? "Waiting for an agent" : "All " + agents + " agents");
                List<Double> paints = IntStream.range(0, RUNS)
                        .mapToObj(run -> browser.firstPaint())
                        .sorted()
                        .toList();
                System.out.printf(
                        "%d agents: %s, first contentful paint %.0f ms (%.0f to %.0f)%n",
                        agents, size(browser), paints.get(RUNS / 2), paints.get(0), paints.get(RUNS - 1));
            }
        }
    }

    private static void register(RegistryCaller owner, int agents) {
        for (int i = 0; i < agents; i++) {
            ObjectNode agent = Json.object().put("agent_id", "agent-" + i).put("role_id", "role-" + i % 10);
            owner.post("/api/v1/agents", agent.put("owner_key_id", "administrator"));
            owner.post("/api/v1/agents/agent-" + i + "/heartbeat");
        }
    }

    /** The files of the page, as they are and compressed. */
    private static String size(Browser browser) throws IOException {
        List<?> files = (List<?>)
                browser.script(
                        "return performance.getEntriesByType('resource').map(r => r.name).filter(name => name.includes('/page/')).concat(location.origin + '/')");
        long bytes = 0;
        long compressed = 0;
        for (Object file : files) {
            byte[] content =
                    URI.create(String.valueOf(file)).toURL().openStream().readAllBytes();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                gzip.write(content);
            }
            bytes += content.length;
            compressed += out.size();
        }
        return "%d files, %d bytes, %d with gzip".formatted(files.size(), bytes, compressed);
    }
}
