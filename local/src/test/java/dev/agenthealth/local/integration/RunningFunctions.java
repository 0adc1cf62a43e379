package dev.agenthealth.local.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.apigateway.ApiServer;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.http.Share;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.scheduler.Schedules;
import dev.agenthealth.emulator.streams.StreamMappings;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.local.LoggedEmulator;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.TestSqs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Functions in this JVM on services that are somewhere else, behind an API of their own. Only requests and the methods
 * here have effects.
 */
final class RunningFunctions implements AutoCloseable {

    private static final String LOOPBACK_ENDPOINTS = "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS";

    private final WebServer server;
    private final List<EmulatedFunction> functions;
    private final StreamMappings streams;
    private final Schedules schedules;
    private final DeadLetters deadLetters = new DeadLetters();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    /** The services that the functions call. */
    record Services(
            DynamoDbClient dynamoDb, DynamoDbStreamsClient streams, EventBridgeClient eventBridge, SqsClient sqs) {}

    /**
     * @param server bound, not started
     * @param definitions with the names that things have in these services
     */
    RunningFunctions(WebServer server, List<FunctionDefinition> definitions, Services services, MutableClock clock) {
        this.server = server;
        PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8);
        EmulatorLog lines = new LoggedEmulator(new Log(clock, out, "integration"));
        this.functions = definitions.stream()
                .map(definition -> EmulatedFunction.start(definition, wiring(definition, services, clock), clock, out))
                .toList();
        this.streams =
                new StreamMappings(functions, services.dynamoDb(), services.streams(), deadLetters, clock, lines);
        this.schedules = new Schedules(functions, Duration.ofSeconds(60), clock, lines);
        server.start(new ApiServer(functions, (function, route) -> Share.COMMON, clock, lines));
    }

    /** A server on a free port of this machine. */
    static WebServer server() {
        try {
            return WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String url(WebServer server) {
        return "http://127.0.0.1:" + server.port();
    }

    private static Wiring wiring(FunctionDefinition definition, Services services, MutableClock clock) {
        Map<String, String> environment = new HashMap<>(definition.environment());
        environment.put(LOOPBACK_ENDPOINTS, "true");
        return Wiring.of(environment)
                .clock(clock)
                .pause(clock::advance)
                .dynamoDb(services::dynamoDb)
                .eventBridge(services::eventBridge)
                .lambda(() -> {
                    throw new IllegalStateException("no fleet here is large enough to be shared out");
                })
                .sqs(services::sqs)
                .build();
    }

    String url() {
        return url(server);
    }

    /** Runs every schedule once; all succeed. */
    void runSchedules() {
        schedules.runAll();
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("scheduled_run_failed");
    }

    /** Hands what was written since to the functions that read streams; they take all of it. */
    void drainStreams() {
        streams.drain();
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("stream_batch_failed");
        assertThat(deadLetters.all()).isEmpty();
    }

    /**
     * Hands messages to a function as Lambda does.
     *
     * @return the ids of those that it did not take
     */
    List<String> deliver(String logicalId, List<TestSqs.Message> messages) {
        EmulatedFunction function = functions.stream()
                .filter(each -> each.definition().logicalId().equals(logicalId))
                .findFirst()
                .orElseThrow();
        try {
            JsonNode answer = Json.read(function.invoke(TestSqs.event(messages).getBytes(StandardCharsets.UTF_8)));
            return answer.path("batchItemFailures").findValuesAsText("itemIdentifier");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
        streams.close();
        schedules.close();
    }
}
