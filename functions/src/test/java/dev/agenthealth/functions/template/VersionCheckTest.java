package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.DeployedSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions of the template that ask a new version before traffic moves to it, run by Python with clients of AWS that a test answers. */
@Tag("SYS-03")
@Tag("slow")
class VersionCheckTest {

    /** Stands for boto3: answers as the variable ANSWERS says, one answer a call and then its last, and prints what is called. */
    private static final String CLIENTS =
            """
            import io, json, os
            answers = os.environ.get("ANSWERS", "200").split()
            class Client:
                def invoke(self, **call):
                    answer = answers.pop(0) if len(answers) > 1 else answers[0]
                    print("INVOKED " + json.dumps(call))
                    if answer == "refused":
                        raise RuntimeError("no such version")
                    body = {"errorMessage": "crashed"} if answer == "crashed" else {"statusCode": int(answer)}
                    result = {"Payload": io.BytesIO(json.dumps(body).encode())}
                    return dict(result, FunctionError="Unhandled") if answer == "crashed" else result
                def put_lifecycle_event_hook_execution_status(self, **call):
                    print("REPORTED " + json.dumps(call))
            def client(service, config=None):
                print("LIMITED " + json.dumps(vars(config) if config else {}))
                return Client()
            """;

    private static final String CONFIGURATION =
            """
            class Config:
                def __init__(self, **options):
                    self.__dict__.update(options)
            """;

    private static final Map<String, String> FUNCTIONS = Map.of(
            "registry:2", "RegistryFunction",
            "heartbeat:2", "HeartbeatFunction",
            "health:2", "HealthFunction",
            "gateway:2", "GatewayFunction");

    private final Map<String, Map<String, Object>> functions = new TemplateText().properties("AWS::Lambda::Function");

    @TempDir
    private Path folder;

    @BeforeEach
    void needsPython() throws IOException, InterruptedException {
        assumeTrue(new ProcessBuilder("sh", "-c", "command -v python3").start().waitFor() == 0, "python3 is missing");
        Files.writeString(folder.resolve("boto3.py"), CLIENTS);
        Files.writeString(Files.createDirectory(folder.resolve("botocore")).resolve("config.py"), CONFIGURATION);
    }

    @Test
    void every_function_that_is_deployed_gradually_is_checked_before_traffic_moves() {
        Map<String, String> hooks = Map.of(
                "RegistryFunction", "RegistryCheck",
                "HeartbeatFunction", "VersionCheck",
                "HealthFunction", "VersionCheck",
                "GatewayFunction", "VersionCheck");
        new TemplateText().properties("AWS::Serverless::Function").forEach((logicalId, properties) -> {
            if (properties.containsKey("DeploymentPreference")) {
                String hook = hooks.get(logicalId);
                assertThat(References.in(at(properties, "DeploymentPreference", "Hooks", "PreTraffic")))
                        .as(logicalId)
                        .contains(hook);
                assertThat(References.in(at(functions.get(hook), "Environment")))
                        .contains(logicalId + ".Version");
            }
        });
        assertThat(functions.keySet()).containsExactlyInAnyOrder("VersionCheck", "RegistryCheck");
    }

    @Test
    void what_permits_a_check_is_there_before_traffic_moves() {
        Map<String, Map<String, Object>> resources = new TemplateText().resources();
        new TemplateText().properties("AWS::Serverless::Function").forEach((logicalId, properties) -> {
            if (properties.containsKey("DeploymentPreference")) {
                String hook = References.in(at(properties, "DeploymentPreference", "Hooks", "PreTraffic")).stream()
                        .filter(functions::containsKey)
                        .findFirst()
                        .orElseThrow();
                assertThat(String.valueOf(functions.get(hook).get("FunctionName")))
                        .as("permitted by the managed policy of CodeDeploy")
                        .contains("CodeDeployHook");
                assertThat(before(hook, resources)).as(logicalId).anySatisfy(earlier -> {
                    assertThat(String.valueOf(resources.get(earlier).get("Type")))
                            .startsWith("AWS::IAM::");
                    assertThat(References.in(resources.get(earlier).get("Properties")))
                            .contains(logicalId + ".Arn");
                });
            }
        });
    }

    @Test
    void versions_that_hang_leave_the_time_to_report_it() throws IOException, InterruptedException {
        List<String> lines = run("VersionCheck", "refused", "{}");
        JsonNode limits = called(lines, "LIMITED").get(0);
        assertThat(limits.path("retries").path("max_attempts").asInt(-1)).isZero();
        int attempt = limits.path("connect_timeout").asInt()
                + limits.path("read_timeout").asInt();
        int pauses = called(lines, "PAUSED").stream().mapToInt(JsonNode::asInt).sum();
        assertThat(attempt).isPositive();
        long timeout = (long) functions.get("VersionCheck").get("Timeout");
        assertThat(called(lines, "INVOKED").size() * attempt + pauses).isLessThan((int) timeout - 10);
    }

    @Test
    void the_functions_answer_what_a_new_version_is_asked() throws IOException, InterruptedException {
        List<JsonNode> asked = new ArrayList<>(called(run("VersionCheck", "200", "{}"), "INVOKED"));
        JsonNode handedOn = called(run("RegistryCheck", "200", "{}"), "INVOKED").get(0);
        asked.addAll(called(run("VersionCheck", "200", handedOn.path("Payload").asText()), "INVOKED"));
        assertThat(asked)
                .extracting(call -> call.path("FunctionName").asText())
                .containsExactlyInAnyOrderElementsOf(FUNCTIONS.keySet());
        try (DeployedSystem system = new DeployedSystem()) {
            for (JsonNode call : asked) {
                String function = FUNCTIONS.get(call.path("FunctionName").asText());
                String answer = system.invoke(function, call.path("Payload").asText());
                assertThat(Json.stored(answer).path("statusCode").asInt())
                        .as(function)
                        .isEqualTo(401);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, Succeeded, 3",
        "401, Succeeded, 3",
        "500, Failed, 9",
        "crashed, Failed, 9",
        "refused, Failed, 9",
        "503 refused 401, Succeeded, 5",
        "200 200 500, Failed, 5"
    })
    void a_version_that_does_not_answer_stops_the_deployment(String answers, String reported, int calls)
            throws IOException, InterruptedException {
        List<String> lines = run("VersionCheck", answers, "{}");
        assertThat(called(lines, "INVOKED")).hasSize(calls);
        assertThat(called(lines, "REPORTED")).singleElement().satisfies(report -> {
            assertThat(report.path("status").asText()).isEqualTo(reported);
            assertThat(report.path("deploymentId").asText()).isEqualTo("d-1");
            assertThat(report.path("lifecycleEventHookExecutionId").asText()).isEqualTo("h-1");
        });
    }

    /** The resources that CloudFormation makes or changes before this one. */
    private static Set<String> before(String logicalId, Map<String, Map<String, Object>> resources) {
        Set<String> found = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(logicalId));
        while (!open.isEmpty()) {
            Map<String, Object> resource = resources.get(open.pop());
            Set<String> named = new LinkedHashSet<>(References.in(resource.get("Properties")));
            Optional.ofNullable(resource.get("DependsOn")).map(String::valueOf).ifPresent(named::add);
            named.stream()
                    .map(name -> name.replaceFirst("[.].*", ""))
                    .filter(resources::containsKey)
                    .filter(found::add)
                    .forEach(open::push);
        }
        return found;
    }

    /** Runs the code of a function without its pauses, and returns what it prints. */
    private List<String> run(String logicalId, String answers, String event) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("index.py"), String.valueOf(at(functions.get(logicalId), "Code", "ZipFile")));
        ProcessBuilder python = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import index, json, sys, time; time.sleep = lambda seconds: print('PAUSED', seconds); index.handler({'DeploymentId': 'd-1',"
                                + " 'LifecycleEventHookExecutionId': 'h-1', **json.loads(sys.argv[1])}, None)",
                        event)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        if (logicalId.equals("RegistryCheck")) {
            python.environment().put("REGISTRY", "registry:2");
        }
        python.environment()
                .putAll(Map.of(
                        "ANSWERS", answers,
                        "HEARTBEAT", "heartbeat:2",
                        "HEALTH", "health:2",
                        "GATEWAY", "gateway:2",
                        "VERSION_CHECK", "check"));
        Process process = python.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output.lines().toList();
    }

    private static List<JsonNode> called(List<String> lines, String what) {
        return lines.stream()
                .filter(line -> line.startsWith(what + " "))
                .map(line -> Json.stored(line.substring(what.length() + 1)))
                .toList();
    }
}
