package dev.agenthealth.local.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.signing.LocalCardKey;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.LoggedEmulator;
import dev.agenthealth.local.testing.FanOut;
import dev.agenthealth.local.testing.ScriptedAgent;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.runtime.FunctionProcess;
import dev.agenthealth.testkit.runtime.LambdaPackage;
import dev.agenthealth.testkit.runtime.RuntimeInterfaceClient;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The package that is deployed, unpacked and started by the runtime interface client as in Lambda, beside the local run of the same
 * classes: both are asked the same and must answer alike. What is missing in the package fails here.
 *
 * <p>Needs the package of the classes as they are now, so the build runs it when the packages are made.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(WherePackaged.class)
@Tag("exhaustive")
class PackagedFunctionsTest {

    private static final String KEY = "sample-administrator-key";

    /** Agents of this machine may be called, and both systems sign agent cards with one key. */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS", "true", LocalCardKey.VARIABLE, LocalCardKey.generate());

    private final ScriptedAgent agents = new ScriptedAgent(time -> {});
    private PackagedSystem packaged;
    private LocalSystem local;
    private Path task;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        LoggedEmulator log = new LoggedEmulator(new Log(Clock.systemUTC(), System.out, "packaged"));
        CompletableFuture<LocalSystem> starting = CompletableFuture.supplyAsync(() -> local(folder));
        Map<String, Path> tasks = Map.of(
                LambdaPackage.WHOLE, Files.createDirectory(folder.resolve("task")),
                LambdaPackage.HEARTBEAT, Files.createDirectory(folder.resolve("heartbeat-task")));
        tasks.forEach(new LambdaPackage()::unpack);
        task = tasks.get(LambdaPackage.WHOLE);
        packaged = new PackagedSystem(
                new PackagedSystem.Settings(
                        KEY,
                        ENVIRONMENT,
                        new RuntimeInterfaceClient(folder),
                        tasks,
                        Files.createDirectory(folder.resolve("logs"))),
                log);
        local = starting.join();
        packaged.awaitStart();
    }

    @AfterAll
    void stop() {
        agents.close();
        if (packaged != null) {
            packaged.close();
        }
        if (local != null) {
            local.close();
        }
    }

    @Test
    @Order(1)
    void before_the_first_event_every_function_with_a_snapshot_only_logs_its_priming() {
        Map<String, String> printed = packaged.printed();
        // The template gives them no snapshot.
        for (String function : List.of(
                "AdministrationFunction",
                "TelemetryFunction",
                "SweepFunction",
                "MeasurementFunction",
                "PublisherFunction",
                "InvocationWorkerFunction",
                "ProbeFunction",
                "SourceFunction",
                "NotificationFunction")) {
            assertThat(printed.remove(function)).as(function).isEmpty();
        }
        assertThat(printed).hasSize(4).allSatisfy((function, output) -> assertThat(
                        output.lines().map(PackagedFunctionsTest::json))
                .as(function)
                .isNotEmpty()
                .allSatisfy(line -> {
                    assertThat(line.path("event").asText()).isIn("primed", "restored");
                    assertThat(line.path("failed").asInt()).isZero();
                }));
    }

    @Test
    @Order(2)
    @Tag("SYS-01")
    @Tag("SYS-04")
    void every_sample_is_answered_as_in_the_local_run() {
        SideBySide systems = new SideBySide(packaged::invoke, local::invoke);
        assertThat(Script.steps(agents).stream().map(systems::difference).flatMap(Optional::stream))
                .isEmpty();
        assertThat(packaged.invokedByFunctions())
                .containsExactly("MeasurementFunction", "NotificationFunction", "SweepFunction");
        assertThat(lifecycles(packaged.matchedEvents())).hasSize(2).isEqualTo(lifecycles(local.matchedEvents()));
    }

    /** Those at the times of the samples; the others have the time of the run. */
    private static List<JsonNode> lifecycles(List<JsonNode> events) {
        return events.stream()
                .map(event -> event.path("detail"))
                .filter(detail -> detail.path("type").asText().equals("agent.lifecycle"))
                .toList();
    }

    @Test
    @Order(3)
    void what_is_printed_are_lines_of_json_and_no_failures() {
        assertThat(packaged.printed()).allSatisfy((function, printed) -> assertThat(printed.lines())
                .as(function)
                .allSatisfy(
                        line -> assertThat(json(line).path("level").asText()).isNotEqualTo("ERROR")));
    }

    @ParameterizedTest
    @Order(4)
    @CsvSource({
        "PublisherFunction, publisher.json, 0, org/joda/time/DateTime.class",
        "RegistryFunction, coordination-put-workflow.json, 201, org/snakeyaml/engine/v2/api/lowlevel/Parse.class",
        "HealthFunction, health-of-system.json, 200, dev/agenthealth/functions/HealthFunction.class",
    })
    void what_is_missing_in_the_package_makes_a_difference(
            String function, String sample, int status, String missing, @TempDir Path folder) throws IOException {
        Path cut = folder.resolve("task");
        copyWithout(task.resolve(missing), task, cut);
        Step step = new Step(sample, status, answers -> new Sample(sample));
        try (FunctionProcess process = packaged.start(function, cut)) {
            SideBySide systems = new SideBySide((name, payload) -> process.invoke(payload), local::invoke);
            String name = missing.replaceFirst("\\.class$", "").replace("/", "[./]");
            assertThat(systems.difference(step))
                    .hasValueSatisfying(difference -> assertThat(difference).containsPattern(name));
        }
    }

    private static LocalSystem local(Path folder) {
        try {
            LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                    .byHand()
                    .allowLoopbackEndpoints()
                    .environment(ENVIRONMENT)
                    .sweepPeriod(Duration.ofMinutes(1))
                    .out(new PrintStream(folder.resolve("local.log").toFile())));
            FanOut.above(1, system.dynamoDb());
            return system;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a folder of links that leads to the same files, but for one. */
    private static void copyWithout(Path left, Path from, Path to) throws IOException {
        Files.createDirectory(to);
        List<Path> children;
        try (var all = Files.list(from)) {
            children = all.toList();
        }
        for (Path child : children) {
            Path copy = to.resolve(child.getFileName());
            if (!left.startsWith(child)) {
                Files.createSymbolicLink(copy, child);
            } else if (!left.equals(child)) {
                copyWithout(left, child, copy);
            }
        }
    }

    private static JsonNode json(String line) {
        try {
            return Json.read(line);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + line, e);
        }
    }
}
