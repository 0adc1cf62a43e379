package dev.agenthealth.emulator.apigateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Route;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests of the API wait for heartbeats. */
class ListsInTurnTest {

    private static final Duration LIST = Duration.ofMillis(20);

    private final Script script = new Script();
    private final ApiServer api = new ApiServer(
            List.of(
                    function(HeartbeatPriority.FUNCTION, "POST /beat"),
                    function("Registry", "GET /things", "GET /things/{id}", "POST /things")),
            new HeartbeatPriority(() -> this.now, this::sleep),
            Clock.systemUTC(),
            EmulatorLog.none());
    private long now;
    private long waited;

    /** What functions do, by route. */
    public static final class Script {

        private final Map<String, Runnable> work = new HashMap<>();
    }

    /** A function that does what the script says. */
    public static final class Scripted implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {

        private final Script script;

        public Scripted(Script script) {
            this.script = script;
        }

        @Override
        public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
            script.work.getOrDefault(event.getRouteKey(), () -> {}).run();
            return APIGatewayV2HTTPResponse.builder().withStatusCode(200).build();
        }
    }

    private EmulatedFunction function(String logicalId, String... routes) {
        FunctionDefinition definition = new FunctionDefinition(
                logicalId,
                logicalId,
                "",
                Scripted.class.getName(),
                "handleRequest",
                Map.of(),
                Duration.ofSeconds(10),
                128,
                false,
                Stream.of(routes)
                        .map(route -> new Route(route.split(" ")[0], route.split(" ")[1]))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        return EmulatedFunction.start(definition, script, Clock.systemUTC(), System.out);
    }

    private void sleep(long nanos) {
        now += nanos;
        waited += nanos;
    }

    private void send(String method, String path) {
        assertThat(api.answer(new RawRequest(method, path, "", Map.of(), new byte[0], "HTTP/1.1", "127.0.0.1"))
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"GET,/things,true", "GET,/things/7,false", "POST,/things,false"})
    void onlyListsWaitDuringAHeartbeat(String method, String path, boolean waits) {
        Stream.of("GET /things", "GET /things/{id}", "POST /things")
                .forEach(route -> script.work.put(route, () -> now += LIST.toNanos()));
        send(method, path);
        script.work.put("POST /beat", () -> send(method, path));
        send("POST", "/beat");
        assertThat(waited).isEqualTo(waits ? HeartbeatPriority.WAIT * LIST.toNanos() : 0);
    }

    @Test
    void noListWaitsForOtherRequests() {
        script.work.put("GET /things", () -> now += LIST.toNanos());
        send("GET", "/things");
        script.work.put("POST /things", () -> send("GET", "/things"));
        send("POST", "/things");
        assertThat(waited).isZero();
    }
}
