package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Route;
import dev.agenthealth.testkit.LambdaRuntime;
import dev.agenthealth.testkit.TestContext;
import dev.agenthealth.testkit.TestTables;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Template and code agree on handlers, routes and environment of the functions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-01")
@Tag("SYS-02")
@Tag("SYS-03")
class DeployedFunctionsTest {

    @AutoClose
    private DeployedSystem system;

    @BeforeAll
    void open() {
        system = new DeployedSystem();
    }

    /** Stores a fleet size so large that the next pass of the sweep is divided into shards. */
    @BeforeEach
    void storeLargeFleetSize() {
        system.tables().dynamoDb().putItem(r -> r.tableName(TestTables.REGISTRY)
                .item(Map.of(
                        "pk", AttributeValue.fromS("SYSTEM"),
                        "sk", AttributeValue.fromS("S"),
                        "fleet", AttributeValue.fromN("300000"))));
    }

    @Test
    void every_handler_is_a_class_that_lambda_and_tests_can_instantiate() throws ReflectiveOperationException {
        for (FunctionDefinition function : system.functions()) {
            Class<?> handler = Class.forName(function.handlerClass());
            assertThat(RequestHandler.class).as(function.logicalId()).isAssignableFrom(handler);
            assertThat(handler.getSimpleName()).isEqualTo(function.logicalId());
            assertThat(Modifier.isPublic(handler.getModifiers())).isTrue();
            assertThat(Modifier.isPublic(handler.getConstructor().getModifiers()))
                    .isTrue();
            assertThat(Modifier.isPublic(handler.getConstructor(Wiring.class).getModifiers()))
                    .isTrue();
            assertThat(function.handlerMethod()).isEqualTo("handleRequest");
            assertThat(Arrays.stream(handler.getMethods())
                            .filter(method -> !method.isBridge())
                            .filter(method -> method.getName().equals("handleRequest")))
                    .as("Lambda must not have to choose between methods of " + function.logicalId())
                    .hasSize(1);
        }
    }

    @Test
    void template_and_functions_declare_the_same_routes() {
        for (FunctionDefinition function : system.functions()) {
            // RouteDocumentsTest compares the routes of API Gateway that lead other methods and paths to a function.
            Set<String> routes = function.routes().stream()
                    .map(Route::routeKey)
                    .filter(route -> !route.startsWith("ANY "))
                    .collect(Collectors.toSet());
            Set<String> answered = system.start(function.logicalId()) instanceof HttpFunction http
                    ? http.routes().keys()
                    : Set.of();
            assertThat(answered).as(function.logicalId()).isEqualTo(routes);
        }
    }

    @Test
    void every_function_has_a_trigger() {
        Set<String> invokedByOthers = system.functions().stream()
                .flatMap(function -> function.environment().values().stream())
                .filter(value -> value.startsWith("arn:aws:lambda:"))
                .map(arn -> arn.split(":")[6])
                .collect(Collectors.toSet());
        for (FunctionDefinition function : system.functions()) {
            assertThat(invokedByOthers.contains(function.logicalId())
                            || !function.routes().isEmpty()
                            || !function.schedules().isEmpty()
                            || !function.streams().isEmpty()
                            || !function.queues().isEmpty())
                    .as(function.logicalId())
                    .isTrue();
        }
    }

    /** A local run has a key of its own instead of KMS, and no e-mail. */
    private static final Set<String> OTHERWISE_IN_A_LOCAL_RUN = Set.of("SECRETS_KEY_ARN", "NOTIFICATION_TOPIC_ARN");

    @Test
    void every_function_has_the_variables_that_it_reads() {
        for (FunctionDefinition function : system.functions()) {
            assertThat(function.environment().values()).as(function.logicalId()).noneMatch(String::isEmpty);
            assertThat(exercise(function, function.environment()))
                    .as(function.logicalId())
                    .doesNotContain("internal_error");
        }
        assertThat(system.lambda().invoked())
                .as("the sweep was divided and invoked its own version")
                .containsExactlyInAnyOrder(
                        "arn:aws:lambda:us-east-1:000000000000:function:SweepFunction:7",
                        "arn:aws:lambda:us-east-1:000000000000:function:NotificationFunction:live");
    }

    @Test
    void no_function_has_an_unused_variable() {
        Set<String> ofAll = environmentOfAll();
        for (FunctionDefinition function : system.functions()) {
            for (String variable : function.environment().keySet()) {
                if (!ofAll.contains(variable) && !OTHERWISE_IN_A_LOCAL_RUN.contains(variable)) {
                    storeLargeFleetSize();
                    assertMissed(function, variable);
                }
            }
        }
    }

    @Test
    void every_common_variable_is_read_by_all_functions() {
        for (String variable : environmentOfAll()) {
            for (FunctionDefinition function : system.functions()) {
                assertMissed(function, variable);
            }
        }
    }

    @Test
    void the_sweep_period_equals_the_period_of_the_schedule() {
        FunctionDefinition sweep = system.function("SweepFunction");
        assertThat(sweep.schedules()).singleElement().satisfies(schedule -> {
            assertThat(schedule.expression()).isEqualTo("rate(1 minute)");
            assertThat(system.invoke("SweepFunction", schedule.input())).startsWith("[{");
        });
        assertThat(sweep.environment()).containsEntry("SWEEP_PERIOD_SECONDS", "60");
        assertThat(sweep.timeout())
                .as("the last pass of a minute has time to finish")
                .isGreaterThanOrEqualTo(Duration.ofSeconds(60 + 12 + 12));
    }

    @Test
    void the_sweep_accepts_the_scheduler_s_default_event() {
        // Its detail is a string, which the event library's class cannot represent.
        String event =
                """
                {"version":"0","id":"53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa","detail-type":"Scheduled Event",
                 "source":"aws.scheduler","account":"123456789012","time":"2026-02-08T10:00:00Z","region":"us-east-1",
                 "resources":["arn:aws:scheduler:us-east-1:123456789012:schedule/default/tick"],"detail":"{}"}
                """;
        assertThat(system.invoke("SweepFunction", event)).startsWith("[{");
    }

    private void assertMissed(FunctionDefinition function, String variable) {
        Map<String, String> environment = new HashMap<>(function.environment());
        environment.remove(variable);
        assertThatThrownBy(() -> exercise(function, environment))
                .as(function.logicalId() + " without " + variable)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(variable);
    }

    /** Starts the function and uses every variable of its environment. */
    private String exercise(FunctionDefinition function, Map<String, String> environment) {
        RequestHandler<?, ?> handler = system.start(function.logicalId(), environment);
        return function.logicalId().equals("SweepFunction")
                ? LambdaRuntime.invoke(
                        handler, function.schedules().get(0).input(), TestContext.of(function.logicalId()))
                : "";
    }

    /** The variables that the template's globals give to every function. */
    private Set<String> environmentOfAll() {
        return system.functions().stream()
                .map(function -> function.environment().keySet())
                .reduce((a, b) -> a.stream().filter(b::contains).collect(Collectors.toSet()))
                .orElseThrow();
    }
}
