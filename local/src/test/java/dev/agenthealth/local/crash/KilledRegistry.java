package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.EndsWithParent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * A registry in a process of its own that is killed and started again on the same port and data folder. It ends with the process of the test, unless that is killed during
 * a {@link #pause}. Calls are thread-safe.
 */
final class KilledRegistry implements AutoCloseable {

    static final String ADMINISTRATOR = "test-administrator-key";
    private static final Duration MAX_START = Duration.ofMinutes(3);
    private static final Duration MAX_ANSWER = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path folder;
    private final int port;
    private final List<String> command;
    private final Map<String, String> environment;
    private final List<Path> outputs = new ArrayList<>();
    private final NavigableMap<Instant, Instant> outages = new ConcurrentSkipListMap<>();
    private volatile Process process;

    /**
     * An answer.
     *
     * @param status of HTTP; 0 without an answer: the request may have been processed
     * @param json the body; missing where it was empty
     */
    record Answer(int status, JsonNode json) {

        /** False where the request has to be repeated. */
        boolean isFinal() {
            return status != 0 && status != 429 && status < 500;
        }
    }

    /** @param folder an existing one, for the data and for what the processes print */
    KilledRegistry(Path folder) throws IOException {
        this(folder, List.of("dev.agenthealth.local.cli.Main", "serve"), Map.of());
    }

    /**
     * Another program than the registry of one machine.
     *
     * @param command its main class and arguments; it takes port and administrator's key from the same variables
     */
    KilledRegistry(Path folder, List<String> command, Map<String, String> environment) throws IOException {
        this.folder = folder;
        this.command = command;
        this.environment = environment;
        try (ServerSocket briefly = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = briefly.getLocalPort();
        }
    }

    String baseUrl() {
        return "http://127.0.0.1:" + port;
    }

    Path data() {
        return folder.resolve("data");
    }

    /** The output of each process, in the order of the starts. */
    List<Path> outputs() {
        return outputs;
    }

    /** Starts a process, and does not wait until it answers. */
    void start() {
        Path output = folder.resolve("registry-" + outputs.size() + ".log");
        outputs.add(output);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> started = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        started.add(EndsWithParent.class.getName());
        started.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(started);
        builder.environment().putAll(environment);
        builder.environment()
                .putAll(Map.of(
                        "CLASSPATH",
                        System.getProperty("java.class.path"),
                        "AGENT_HEALTH_PORT",
                        String.valueOf(port),
                        "AGENT_HEALTH_DATA_DIR",
                        data().toString(),
                        "AGENT_HEALTH_SWEEP_SECONDS",
                        "1",
                        "AGENT_HEALTH_ALLOW_LOOPBACK_ENDPOINTS",
                        "true",
                        "AGENT_HEALTH_ADMIN_KEY",
                        ADMINISTRATOR));
        try {
            process = builder.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitReady() throws InterruptedException {
        Instant deadline = Instant.now().plus(MAX_START);
        while (get("/api/v1/me").isEmpty()) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("the registry does not start" + printed());
            }
            runFor(Duration.ofMillis(50));
        }
        if (!outages.isEmpty()) {
            outages.replace(outages.lastKey(), Instant.now());
        }
    }

    /** Lets the process run for a while. */
    void runFor(Duration time) throws InterruptedException {
        if (process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the registry ended by itself" + printed());
        }
    }

    /** Ends the process by SIGKILL. */
    void kill() throws InterruptedException {
        if (outages.isEmpty() || outages.lastEntry().getValue().isBefore(Instant.MAX)) {
            outages.put(Instant.now(), Instant.MAX);
        }
        process.destroyForcibly().waitFor();
    }

    /** Stops the process by SIGSTOP until {@link #resume}: it keeps its connections and does nothing. */
    void pause() throws InterruptedException {
        signal("STOP");
    }

    void resume() throws InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws InterruptedException {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("kill -" + name + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The time at which a process that answered was killed last. */
    Instant lastKill() {
        return outages.lastKey();
    }

    /** The time for which the registry answered within a time. */
    Duration upWithin(Instant from, Instant to) {
        Duration up = Duration.between(from, to);
        for (Map.Entry<Instant, Instant> outage : outages.entrySet()) {
            Instant begin = outage.getKey().isAfter(from) ? outage.getKey() : from;
            Instant end = outage.getValue().isBefore(to) ? outage.getValue() : to;
            up = end.isAfter(begin) ? up.minus(Duration.between(begin, end)) : up;
        }
        return up;
    }

    /** The answer to the administrator; empty without one. */
    JsonNode get(String path) {
        return administrator("GET", path, "").json();
    }

    Answer administrator(String method, String path, String body) {
        return call(method, path, ADMINISTRATOR, body);
    }

    /** @param body JSON; empty for none */
    Answer call(String method, String path, String key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl() + path))
                .timeout(MAX_ANSWER)
                .headers("content-type", "application/json", "x-api-key", key)
                .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), Json.read(response.body()));
        } catch (IOException e) {
            return new Answer(0, Json.object());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(0, Json.object());
        }
    }

    private String printed() {
        try {
            return "\n" + Files.readString(outputs.get(outputs.size() - 1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
