package dev.agenthealth.functions.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.functions.outcomes.OutcomeDoor;
import dev.agenthealth.functions.testing.NotingClassLoader;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import java.lang.reflect.Constructor;
import java.time.Clock;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a cold heartbeat function loads: most heartbeats bring no outcomes and must not wait for what takes them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("R16-10")
@Tag("SYS-01")
class HeartbeatClassesTest {

    private static final String OF_OUTCOMES =
            "dev\\.agenthealth\\.(functions\\.outcomes|model\\.outcome|model\\.window)\\..*";

    private final TestSystem system = new TestSystem();
    private final NotingClassLoader loader = new NotingClassLoader();

    @AfterAll
    void close() {
        system.close();
    }

    @Test
    void a_plain_heartbeat_loads_nothing_of_what_takes_outcomes() throws ReflectiveOperationException {
        TestAgent agent = TestAgent.registered(system, "agent_1");
        RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> heartbeat = start();
        String plain = TestAgent.BEAT.formatted(system.clock().instant());
        assertThat(heartbeat.handleRequest(event(agent, plain), null).getStatusCode())
                .isEqualTo(200);
        assertThat(loader.loaded())
                .contains("dev.agenthealth.functions.heartbeat.HeartbeatReception")
                .noneMatch(name -> name.matches(OF_OUTCOMES));
        String riding = plain.replace("}", "," + OutcomeDoor.batch("b-1", OutcomeDoor.SUCCESS) + "}");
        assertThat(heartbeat.handleRequest(event(agent, riding), null).getBody())
                .contains("\"accepted\":1");
        assertThat(loader.loaded()).anyMatch(name -> name.matches(OF_OUTCOMES));
    }

    /** The function, made of classes that are loaded when they are needed. */
    @SuppressWarnings("unchecked")
    private RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> start()
            throws ReflectiveOperationException {
        Class<?> wiring = loader.loadClass("dev.agenthealth.functions.Wiring");
        Constructor<?> wire = wiring.getConstructor(
                Map.class, Clock.class, Supplier.class, Supplier.class, Supplier.class, Supplier.class);
        Supplier<Object> none = () -> {
            throw new IllegalStateException("a heartbeat calls nothing but the storage");
        };
        Object made = wire.newInstance(
                system.wiring(Map.of()).environment(),
                system.clock(),
                (Supplier<Object>) system::dynamoDb,
                none,
                none,
                none);
        return (RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse>)
                loader.loadClass("dev.agenthealth.functions.heartbeat.HeartbeatFunction")
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
