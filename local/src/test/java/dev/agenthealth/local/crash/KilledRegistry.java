package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A registry in a process of its own that is killed and started again on the same port and data folder. Calls are thread-safe. */
final class KilledRegistry implements AutoCloseable {

    static final String ADMINISTRATOR = "test-administrator-key";

    private static final Duration MAX_START = Duration.ofSeconds(60);
    private static final Duration MAX_ANSWER = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path data;
    private final Path logs;
    private final URI url;
    private final List<Path> outputs = new ArrayList<>();
    private final List<Instant> kills = new CopyOnWriteArrayList<>();
    private final List<Instant> readies = new CopyOnWriteArrayList<>();
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
    KilledRegistry(Path folder) {
        this.data = folder.resolve("data");
        this.logs = folder;
        try (ServerSocket briefly = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.url = URI.create("http://127.0.0.1:" + briefly.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path data() {
        return data;
    }

    /** What each process printed, in the order of the starts. */
    List<Path> outputs() {
        return List.copyOf(outputs);
    }

    /** Starts a process, and does not wait until it answers. */
    void start() {
        Path output = logs.resolve("registry-" + outputs.size() + ".log");
        outputs.add(output);
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.agenthealth.local.cli.Main",
                        "serve",
                        "--port",
                        String.valueOf(url.getPort()),
                        "--data-dir",
                        data.toString(),
                        "--sweep-seconds",
                        "1",
                        "--allow-loopback-endpoints")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("AGENT_HEALTH_ADMIN_KEY", ADMINISTRATOR);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitReady() throws InterruptedException {
        Instant deadline = Instant.now().plus(MAX_START);
        while (call("GET", "/api/v1/ping", "", "").status() != 200) {
            if (Instant.now().isAfter(deadline)) {
                throw new AssertionError("the registry does not start" + printed());
            }
            runFor(Duration.ofMillis(50));
        }
        readies.add(Instant.now());
    }

    /** Lets the process run for a while. */
    void runFor(Duration time) throws InterruptedException {
        if (process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the registry ended by itself" + printed());
        }
    }

    /** Ends the process by SIGKILL. */
    void kill() throws InterruptedException {
        if (kills.size() < readies.size()) {
            kills.add(Instant.now());
        }
        process.destroyForcibly().waitFor();
    }

    /** When a process that answered was killed last. */
    Instant lastKill() {
        return kills.get(kills.size() - 1);
    }

    /** How long the registry did not answer within a time. */
    Duration downWithin(Instant from, Instant to) {
        Duration down = Duration.ZERO;
        for (int i = 0; i < kills.size(); i++) {
            Instant begin = later(kills.get(i), from);
            Instant end = earlier(i + 1 < readies.size() ? readies.get(i + 1) : Instant.MAX, to);
            down = end.isAfter(begin) ? down.plus(Duration.between(begin, end)) : down;
        }
        return down;
    }

    /** @param key empty for none @param body JSON; empty for none */
    Answer call(String method, String path, String key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path))
                .timeout(MAX_ANSWER)
                .header("content-type", "application/json")
                .method(method, BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            request.header("x-api-key", key);
        }
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

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
