package dev.agenthealth.local.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.api.signing.LocalCardKey;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.storage.keys.KeySecret;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS",
            "true",
            FunctionSettings.CARD_LOCAL_KEY.name(),
            LocalCardKey.generate());

    private final ScriptedAgent agents = new ScriptedAgent(time -> {});
    private PackagedSystem packaged;
    private LocalSystem local;
    private Path task;
    private Path heartbeatTask;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        LoggedEmulator log = new LoggedEmulator(new Log(Clock.systemUTC(), System.out, "packaged"));
        CompletableFuture<LocalSystem> starting = CompletableFuture.supplyAsync(() -> local(folder));
        Map<String, Path> tasks = Map.of(
                LambdaPackage.WHOLE, Files.createDirectory(folder.resolve("task")),
                LambdaPackage.HEARTBEAT, Files.createDirectory(folder.resolve("heartbeat-task")));
        tasks.forEach(new LambdaPackage()::unpack);
        task = tasks.get(LambdaPackage.WHOLE);
        heartbeatTask = tasks.get(LambdaPackage.HEARTBEAT);
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

    /** As on Lambda Managed Instances, where the runtime interface client gives the handler's one object a number of threads. */
    @Test
    @Order(4)
    void one_process_answers_64_requests_at_once_each_for_its_own_agent_and_key() throws Exception {
        int threads = 64;
        int rounds = 10;
        List<String> ids =
                IntStream.range(0, threads).mapToObj(i -> "concurrent-" + i).toList();
        ids.forEach(id -> assertThat(new Sample("registry-register.json")
                        .header("x-api-key", KEY)
                        .body(body -> body.put("agent_id", id).put("owner_key_id", "administrator"))
                        .invoke(packaged::invoke)
                        .path("statusCode")
                        .asInt())
                .isEqualTo(201));
        Map<String, String> managed = Map.of(
                "AWS_LAMBDA_MAX_CONCURRENCY",
                String.valueOf(threads),
                "AWS_LAMBDA_INITIALIZATION_TYPE",
                "lambda-managed-instances");
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try (FunctionProcess process = packaged.start("HeartbeatFunction", heartbeatTask, managed)) {
            // The first request alone: 64 that wait for classes and connections at once meet its time limits.
            concurrent(process, ids.get(0), 0);
            List<Future<List<String>>> calls = ids.stream()
                    .map(id -> callers.submit(() -> IntStream.rangeClosed(1, rounds)
                            .mapToObj(round -> concurrent(process, id, round))
                            .toList()))
                    .toList();
            List<String> answers = new ArrayList<>();
            for (Future<List<String>> call : calls) {
                answers.addAll(call.get(2, TimeUnit.MINUTES));
            }
            assertThat(answers.stream().collect(Collectors.groupingBy(each -> each, Collectors.counting())))
                    .isEqualTo(Map.of("[200, 401, 404]", (long) threads * rounds));
            assertThat(process.printed()).contains("Starting " + threads + " concurrent function handler threads");
        } finally {
            callers.shutdownNow();
        }
        for (int i = 0; i < threads; i++) {
            JsonNode record = json(new Sample("registry-get-agent.json")
                    .path("agent_id", ids.get(i))
                    .header("x-api-key", KEY)
                    .invoke(packaged::invoke)
                    .path("body")
                    .asText());
            assertThat(record.path("capacity").path("current_load").asInt()).isEqualTo(i + rounds);
        }
    }

    /**
     * The answers to a heartbeat of an agent, one with another key and one of an unknown agent. The other key has the form of issued keys, as
     * a key that a person may have chosen counts as a guess of the administrator's key.
     */
    private static String concurrent(FunctionProcess process, String id, int round) {
        int load = Integer.parseInt(id.substring(id.indexOf('-') + 1)) + round;
        return Stream.of(List.of(id, KEY), List.of(id, KeySecret.random()), List.of("unknown-" + id, KEY))
                .map(to -> new Sample("heartbeat.json")
                        .path("agent_id", to.get(0))
                        .header("x-api-key", to.get(1))
                        .body(body -> body.put("current_load", load)))
                .map(sample -> status(process, sample))
                .toList()
                .toString();
    }

    /** As clients do, sends again what a busy database kept from being answered in time, a few times. */
    private static int status(FunctionProcess process, Sample sample) {
        return IntStream.range(0, 5)
                .map(attempt -> sample.invoke((function, payload) -> process.invoke(payload))
                        .path("statusCode")
                        .asInt())
                .filter(status -> status != 503)
                .findFirst()
                .orElse(503);
    }

    @ParameterizedTest
    @Order(5)
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

    /** The local run counts as behind API Gateway, as the samples are events of API Gateway: its host is then the public address. */
    private static Map<String, String> localEnvironment() {
        Map<String, String> environment = new HashMap<>(ENVIRONMENT);
        environment.put(FunctionSettings.STREAMS.name(), "false");
        return environment;
    }

    private static LocalSystem local(Path folder) {
        try {
            LocalSystem system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                    .byHand()
                    .allowLoopbackEndpoints()
                    .environment(localEnvironment())
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
