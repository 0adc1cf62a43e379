package dev.agenthealth.local.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.local.testing.RegistryCaller.Answer;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import dev.agenthealth.testkit.TestSqs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The template's functions on a backend, with a clock that the test moves, and who calls them. */
final class Harness implements AutoCloseable {

    private static final String ADMINISTRATOR_KEY = "test-administrator-key";
    private static final Duration MINUTE = Duration.ofSeconds(60);

    /** Where items expire, they do so by the machine's clock: a time of the past would lose them. */
    private final MutableClock clock = new MutableClock(Instant.now().truncatedTo(ChronoUnit.SECONDS));

    private final Stack stack;
    private final Backend backend;
    private final RunningFunctions functions;
    private final RegistryCaller administrator;
    private final Map<String, List<JsonNode>> matched = new HashMap<>();

    /** Makes a backend for the test's own stack. */
    @FunctionalInterface
    interface Opening {

        /** @param stackName unique, part of the names of all resources of the stack */
        Backend open(String stackName, Stack stack, MutableClock clock);
    }

    Harness(Opening opening) {
        String stackName = "it-" + UUID.randomUUID().toString().substring(0, 8);
        WebServer server = RunningFunctions.server();
        Resolution resolution = new Resolution(
                Map.of("AdminKeySha256", KeyHash.ofKey(ADMINISTRATOR_KEY).hex(), "EventTools", "true"),
                Map.of("HttpApi.ApiEndpoint", RunningFunctions.url(server)),
                stackName,
                "us-east-1",
                "000000000000");
        stack = Template.find().stack(resolution);
        backend = opening.open(stackName, stack, clock);
        functions = new RunningFunctions(
                server,
                backend.functions(),
                new RunningFunctions.Services(
                        backend.dynamoDb(), backend.streams(), backend.eventBridge(), backend.sqs()),
                clock);
        administrator = new RegistryCaller(functions.url(), ADMINISTRATOR_KEY);
        functions.runSchedules();
    }

    Stack stack() {
        return stack;
    }

    Backend backend() {
        return backend;
    }

    MutableClock clock() {
        return clock;
    }

    RegistryCaller administrator() {
        return administrator;
    }

    /** Registers an agent that may be silent for hours: no test lasts as long on the clock. */
    Answer register(String agentId) {
        return register(agentId, Json.object());
    }

    /** @param more fields of the registration */
    Answer register(String agentId, ObjectNode more) {
        return register(agentId, more, 7_200, 14_400, 28_800);
    }

    /** Registers an agent that is unhealthy two minutes after its last heartbeat, and dead after four. */
    Answer registerMortal(String agentId) {
        return registerMortal(agentId, Json.object());
    }

    /** @param more fields of the registration */
    Answer registerMortal(String agentId, ObjectNode more) {
        return register(agentId, more, 50, 110, 230);
    }

    private Answer register(String agentId, ObjectNode more, int interval, int unhealthyAfter, int deadAfter) {
        ObjectNode agent = Json.object()
                .put("agent_id", agentId)
                .put("owner_key_id", "administrator")
                .put("role_id", "worker");
        agent.putArray("capabilities").add("test");
        agent.putObject("heartbeat_config")
                .put("interval_seconds", interval)
                .put("unhealthy_after_seconds", unhealthyAfter)
                .put("dead_after_seconds", deadAfter);
        agent.setAll(more);
        return administrator.post("/api/v1/agents", agent);
    }

    Answer sendHeartbeat(String agentId, String status) {
        return administrator.post(
                "/api/v1/agents/" + agentId + "/heartbeat",
                Json.object().put("status", status).put("client_timestamp", now()));
    }

    Answer agent(String agentId) {
        return administrator.get("/api/v1/agents/" + agentId);
    }

    String status(String agentId) {
        return agent(agentId).json().path("status").asText();
    }

    /** Lets time pass in which the schedules run every minute. */
    void pass(int minutes) {
        for (int i = 0; i < minutes; i++) {
            clock.advance(MINUTE);
            functions.runSchedules();
        }
    }

    /** The clock's time as events and records show it. */
    String now() {
        return clock.instant().toString();
    }

    /** Takes the invocations that wait in the queue to the function that does them; it does all of them. */
    void work(int expected) {
        assertThat(delivered(expected)).as("messages that are to come again").isEmpty();
    }

    /** Takes the invocations that wait in the queue to the function that does them; none can be done now. */
    void workInVain(int expected) {
        assertThat(delivered(expected)).as("messages that are to come again").hasSize(expected);
    }

    private List<String> delivered(int expected) {
        String queue = backend.functions().stream()
                .filter(function -> function.logicalId().equals("GatewayFunction"))
                .map(function -> function.environment().get("INVOCATION_QUEUE_URL"))
                .findFirst()
                .orElseThrow();
        List<TestSqs.Message> messages = backend.receive(queue, expected);
        assertThat(messages).hasSize(expected);
        List<String> failed = functions.deliver("InvocationWorkerFunction", messages);
        messages.stream()
                .filter(message -> !failed.contains(message.messageId()))
                .forEach(backend::delete);
        return failed;
    }

    /**
     * Sends the outbox to the bus and waits for what a rule's subscriber gets of an agent.
     *
     * @param expected how many events, with those of earlier calls
     */
    List<JsonNode> matched(String ruleId, String agentId, int expected) {
        functions.drainStreams();
        List<JsonNode> all = matched.computeIfAbsent(ruleId, id -> new ArrayList<>());
        boolean more = true;
        while (more && of(agentId, all).size() < expected) {
            List<TestSqs.Message> received = backend.receive(backend.subscriberQueue(ruleId), 1);
            received.forEach(backend::delete);
            received.forEach(message -> all.add(json(message.body())));
            more = !received.isEmpty();
        }
        return of(agentId, all);
    }

    private static List<JsonNode> of(String agentId, List<JsonNode> events) {
        return events.stream()
                .filter(event -> event.path("detail").path("agent_id").asText().equals(agentId))
                .sorted(Comparator.comparing(
                        event -> event.path("detail").path("sequence").asLong()))
                .toList();
    }

    static JsonNode json(String text) {
        try {
            return Json.read(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    @Override
    public void close() {
        try (backend) {
            functions.close();
        }
    }
}
