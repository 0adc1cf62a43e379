package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.eventbridge.EmulatedEventBridge;
import dev.agenthealth.emulator.eventbridge.EventBuses;
import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.EmulatedSqs;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.TestKms;
import dev.agenthealth.testkit.runtime.FunctionProcess;
import dev.agenthealth.testkit.runtime.RuntimeInterfaceClient;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The template's system with every function in a process of its own, made of the package that is deployed. The services around them
 * are reached over HTTP, by the clients and with the settings of the package. Thread-safe.
 */
final class PackagedSystem implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int STARTING_AT_ONCE = 2;
    private static final Pattern INVOCATION =
            Pattern.compile("/2015-03-31/functions/(?:arn:.*:function:)?([\\w-]+)(?::[\\w$-]+)?/invocations");
    private static final Pattern HEARTBEAT = Pattern.compile("/api/v1/agents/([^/]+)/heartbeat");

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Map<String, FunctionProcess> functions = new LinkedHashMap<>();
    private final Map<String, FunctionProcess> shards = new ConcurrentHashMap<>();
    private final Settings settings;
    private final EmulatorLog log;
    private final Stack stack;
    private final EventBuses buses;
    private final Map<String, String> addresses;

    /**
     * The parts that a system is started with.
     *
     * @param administratorKey the administrator's API key
     * @param environment what every function's environment has besides, or instead of, the template's
     * @param client starts the functions
     * @param tasks where each package is unpacked, by its {@code CodeUri}
     * @param logs an existing folder for what the processes print
     */
    record Settings(
            String administratorKey,
            Map<String, String> environment,
            RuntimeInterfaceClient client,
            Map<String, Path> tasks,
            Path logs) {}

    /**
     * Starts the functions, a few at a time: where many processes begin at once on few cores, the first request of each takes longer than
     * its time-out allows.
     */
    PackagedSystem(Settings settings, EmulatorLog log) throws IOException {
        this.settings = settings;
        this.log = log;
        try {
            WebServer server = open(WebServer.bind(HOST, 0, "server", log));
            WebServer services = open(WebServer.bind(HOST, 0, "services", log));
            this.stack = stack(settings.administratorKey(), "http://" + HOST + ":" + server.port());
            this.buses = new EventBuses(stack.eventBuses(), stack.rules(), (target, envelopes) -> {});
            TablesOverHttp tables = open(new TablesOverHttp(stack.tables()));
            this.addresses = Map.of(
                    "AWS_ENDPOINT_URL",
                    "http://" + HOST + ":" + services.port(),
                    "AWS_ENDPOINT_URL_DYNAMODB",
                    tables.url());
            Endpoint answering = new ServicesOverHttp(
                    new EmulatedEventBridge(buses, Clock.systemUTC()),
                    new EmulatedSqs(EmulatedQueues.inMemory(stack.queues(), Clock.systemUTC())),
                    new TestKms().client());
            services.start(request -> serve(request, answering));
            server.start(this::heartbeat);
            Deque<FunctionProcess> starting = new ArrayDeque<>();
            for (FunctionDefinition function : stack.functions()) {
                if (starting.size() == STARTING_AT_ONCE) {
                    starting.remove().awaitStart();
                }
                FunctionProcess process =
                        start(function.logicalId(), settings.tasks().get(function.codeUri()));
                functions.put(function.logicalId(), process);
                starting.add(process);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Waits until every function has gone through the restore of its snapshot. */
    void awaitStart() {
        functions.values().forEach(FunctionProcess::awaitStart);
    }

    /** The answer of a function to a payload; both are JSON in UTF-8. */
    byte[] invoke(String logicalId, byte[] payload) {
        return functions.get(logicalId).invoke(payload);
    }

    /** One more process of a function, of a package that is unpacked somewhere else; ends with the system. */
    FunctionProcess start(String logicalId, Path task) {
        return start(logicalId, task, Map.of());
    }

    /** One more process, with an environment of its own. */
    FunctionProcess start(String logicalId, Path task, Map<String, String> more) {
        FunctionDefinition function = function(logicalId);
        Map<String, String> environment = new LinkedHashMap<>(settings.environment());
        environment.putAll(addresses);
        environment.putAll(more);
        return open(new FunctionProcess(
                function,
                settings.client().command(FunctionProcess.handler(function)),
                new FunctionProcess.Place(task, settings.logs()),
                environment,
                log));
    }

    private FunctionDefinition function(String logicalId) {
        return stack.functions().stream()
                .filter(candidate -> candidate.logicalId().equals(logicalId))
                .findFirst()
                .orElseThrow();
    }

    /** The output of each function's process so far. */
    Map<String, String> printed() {
        Map<String, String> printed = new LinkedHashMap<>();
        functions.forEach((name, process) -> printed.put(name, process.printed()));
        shards.forEach((name, process) -> printed.put(name + " (shards)", process.printed()));
        return printed;
    }

    /** The events that a rule matched, oldest first. */
    List<JsonNode> matchedEvents() {
        return List.copyOf(buses.events().matched());
    }

    /** The functions that functions have invoked: themselves, or the next one. */
    Set<String> invokedByFunctions() {
        return new TreeSet<>(shards.keySet());
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                log.failure("not_closed", "packaged system", e);
            }
        }
    }

    private <T extends AutoCloseable> T open(T resource) {
        opened.push(resource);
        return resource;
    }

    private static Stack stack(String administratorKey, String url) {
        return Template.find()
                .stack(Resolution.local()
                        .withAttribute("HttpApi", "ApiEndpoint", url)
                        .withParameter("EventTools", "true")
                        .withParameter(
                                "AdminKeySha256",
                                KeyHash.ofKey(administratorKey).hex()));
    }

    private RawResponse serve(RawRequest request, Endpoint services) {
        Matcher invoked = INVOCATION.matcher(URLDecoder.decode(request.rawPath(), StandardCharsets.UTF_8));
        return invoked.matches()
                ? RawResponse.of(
                        200, "application/json", shard(invoked.group(1)).invoke(request.body()))
                : services.answer(request);
    }

    /** A second process of a function, for what functions invoke it with: the first one may wait for the answer. */
    private FunctionProcess shard(String logicalId) {
        return shards.computeIfAbsent(logicalId, id -> {
            FunctionProcess process =
                    start(id, settings.tasks().get(function(id).codeUri()));
            process.awaitStart();
            return process;
        });
    }

    /** The one route of the public address that the system itself calls: the heartbeats of its canaries. */
    private RawResponse heartbeat(RawRequest request) {
        Matcher heartbeat = HEARTBEAT.matcher(request.rawPath());
        if (!heartbeat.matches()) {
            return RawResponse.problem(404, "route_not_found", "There is nothing at this path.");
        }
        JsonNode answer = new Sample("heartbeat.json")
                .path("agent_id", heartbeat.group(1))
                .header("x-api-key", request.header("X-API-Key"))
                .body(new String(request.body(), StandardCharsets.UTF_8))
                .invoke(this::invoke);
        return RawResponse.of(
                answer.path("statusCode").asInt(),
                "application/json",
                answer.path("body").asText().getBytes(StandardCharsets.UTF_8));
    }
}
