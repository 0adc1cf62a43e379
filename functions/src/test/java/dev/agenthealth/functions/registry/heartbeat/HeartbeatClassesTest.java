package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.registry.outcomes.OutcomeClient;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.RecordingClassLoader;
import dev.agenthealth.testkit.TestSnapshots;
import java.time.Clock;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Classes that a cold heartbeat function loads: heartbeats without outcomes must not wait for the classes of outcomes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
@Tag("SYS-01")
class HeartbeatClassesTest {

    private static final String OF_OUTCOMES =
            "dev\\.agenthealth\\.(functions\\.registry\\.outcomes\\.(?!OutcomeRoutes$)|model\\.registry\\.outcome\\.|model\\.window\\.).*";

    private static final String OF_TOKENS =
            "(dev\\.agenthealth\\.functions\\.(api\\.identity|runtime\\.outbound|storage\\.identity\\.(?!WorkloadOwners$))|com\\.nimbusds|org\\.apache).*";

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final RecordingClassLoader loader = new RecordingClassLoader();

    @Test
    void a_heartbeat_without_outcomes_loads_no_classes_of_outcomes() throws ReflectiveOperationException {
        TestAgent agent = TestAgent.registered(system, "agent_1");
        RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> heartbeat = start(loader, new TestSnapshots());
        String plain = TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant());
        assertThat(heartbeat.handleRequest(event(agent, plain), null).getStatusCode())
                .isEqualTo(200);
        assertThat(loader.loaded())
                .contains("dev.agenthealth.functions.registry.heartbeat.HeartbeatReception")
                .noneMatch(name -> name.matches(OF_OUTCOMES))
                .noneMatch(name -> name.matches(OF_TOKENS));
        String withOutcomes = plain.replace("}", "," + OutcomeClient.batch("b-1", OutcomeClient.SUCCESS) + "}");
        assertThat(heartbeat.handleRequest(event(agent, withOutcomes), null).getBody())
                .contains("\"accepted\":1");
        assertThat(loader.loaded()).anyMatch(name -> name.matches(OF_OUTCOMES));
    }

    @Test
    void priming_loads_classes_that_the_first_heartbeat_needs() throws ReflectiveOperationException {
        TestAgent agent = TestAgent.registered(system, "agent_2");
        int unprimed = loadedByTheFirstHeartbeat(agent, new RecordingClassLoader(), false);
        int primed = loadedByTheFirstHeartbeat(agent, new RecordingClassLoader(), true);
        assertThat(primed).isPositive().isLessThan(unprimed);
    }

    private int loadedByTheFirstHeartbeat(TestAgent agent, RecordingClassLoader fresh, boolean primed)
            throws ReflectiveOperationException {
        TestSnapshots snapshots = new TestSnapshots();
        RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> heartbeat = start(fresh, snapshots);
        if (primed) {
            assertThat(snapshots.take()).isEqualTo(1);
        }
        int before = fresh.loaded().size();
        String plain = TestAgent.HEARTBEAT_BODY.formatted(system.clock().instant());
        assertThat(heartbeat.handleRequest(event(agent, plain), null).getStatusCode())
                .isEqualTo(200);
        return fresh.loaded().size() - before;
    }

    /** Creates the function from classes that are loaded on demand. */
    @SuppressWarnings("unchecked")
    private RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> start(
            RecordingClassLoader fresh, TestSnapshots snapshots) throws ReflectiveOperationException {
        Class<?> wiring = fresh.loadClass("dev.agenthealth.functions.runtime.wiring.Wiring");
        Object builder = wiring.getMethod("of", Map.class)
                .invoke(null, system.wiring(Map.of()).environment());
        Class<?> type = builder.getClass();
        type.getMethod("clock", Clock.class).invoke(builder, system.clock());
        type.getMethod("dynamoDb", Supplier.class).invoke(builder, (Supplier<Object>) system::dynamoDb);
        type.getMethod("snapshots", Consumer.class).invoke(builder, snapshots);
        Object made = type.getMethod("build").invoke(builder);
        return (RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse>)
                fresh.loadClass("dev.agenthealth.functions.HeartbeatFunction")
                        .getConstructor(wiring)
                        .newInstance(made);
    }

    private static APIGatewayV2HTTPEvent event(TestAgent agent, String body) {
        return APIGatewayV2HTTPEvent.builder()
                .withRouteKey("POST /api/v1/agents/{agent_id}/heartbeat")
                .withRawPath(agent.heartbeatPath())
                .withPathParameters(Map.of("agent_id", agent.id()))
                .withHeaders(Map.of("x-api-key", TestSystem.AGENT_KEY))
                .withBody(body)
                .build();
    }
}
