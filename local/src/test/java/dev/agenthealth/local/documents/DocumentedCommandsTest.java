package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the documents, pasted in their order into a shell beside a running system; each answer is as the document shows it. */
@Tag("other-programs")
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String KEY = "my-administrator-key";
    /** Starts the system in a terminal of its own: the test runs it in this JVM instead. */
    private static final Pattern START = Pattern.compile(
            "(?:mvn -q -DskipTests package && )?(?:AGENT_HEALTH_\\w+=\\S+ )*java -jar local/target/agent-health-local\\.jar(?: serve| demo)?");
    /** Builds, deployments, installations and messages to the internet; other tests and CI run these. */
    private static final Pattern ELSEWHERE = Pattern.compile(
            "(?:mvn |sam |docker |sudo |pip |npm |ADMIN=\\$\\(openssl ).*|.*/notifications/on-call/test .*",
            Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/guides/lifecycle.md",
                "docs/guides/stalled.md",
                "docs/guides/looping.md",
                "docs/guides/versions.md",
                "docs/guides/usage.md",
                "docs/guides/watched.md",
                "docs/guides/sources.md",
                "docs/guides/leases.md",
                "docs/guides/health.md",
                "docs/guides/gateway.md",
                "docs/guides/a2a.md",
                "docs/guides/mcp.md",
                "docs/guides/catalogue.md",
                "docs/guides/notifications.md",
                "docs/guides/openintent.md",
                "docs/guides/opentelemetry.md",
                "docs/guides/prometheus.md",
                "docs/guides/run.md"
            })
    void the_commands_of_a_document_run_and_print_what_it_shows(String name, @TempDir Path folder)
            throws IOException, InterruptedException {
        List<Example> examples = Example.of(ROOT.resolve(name)).stream()
                .filter(example -> !START.matcher(example.text()).matches())
                .filter(example -> !ELSEWHERE.matcher(example.text()).matches())
                .toList();
        assertThat(examples).isNotEmpty();
        MutableClock clock = new MutableClock(Instant.now().truncatedTo(ChronoUnit.SECONDS));
        LocalOptions options = LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream()));
        try (LocalSystem system = LocalSystem.start(options)) {
            system.runSchedules();
            List<String> printed = new Shell(system, clock, folder).run(examples);
            SoftAssertions answers = new SoftAssertions();
            for (int i = 0; i < examples.size(); i++) {
                String text = printed.get(i);
                examples.get(i).answer().ifPresent(answer -> answers.assertThat(
                                ShownAnswer.matches(answer.text(), text))
                        .as("%s shows%n%s%nbut the commands print%n%s", answer, answer.text(), text)
                        .isTrue());
            }
            answers.assertAll();
        }
    }

    @Test
    void an_answer_that_differs_is_found() {
        String shown =
                """
                        {"id":"lease_01M7X4NHGF56ATWP302XQN9HPN", … ,"status":"active","version":1,\
                        "at":"2026-11-20T18:49:25Z"}\
                        """;
        String printed =
                """
                        {"id":"lease_01M81YT4R8KTHJ3WX6MBK6Z23B","a":1,"status":"active","version":1,\
                        "at":"2026-11-22T10:00:00.123Z"}\
                        """;
        assertThat(ShownAnswer.matches(shown, printed)).isTrue();
        List<String> others = List.of(
                printed.replace("active", "dead"),
                printed.replace("\"version\":1", "\"version\":2"),
                printed.replace("\"id\"", "\"name\""),
                printed.replace("2026-11-22T10:00:00.123Z", "now"),
                printed.replace(",\"at\"", ",\"more\":1,\"at\""));
        assertThat(IntStream.range(0, others.size()).filter(i -> ShownAnswer.matches(shown, others.get(i))))
                .isEmpty();
    }
}
