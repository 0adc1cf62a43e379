package dev.agenthealth.testkit;

import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The part of the public API that the sweep's canaries use: heartbeats and registrations over HTTP. A test can refuse them. Thread-safe.
 */
public final class TestPublicApi implements AutoCloseable {

    private static final String HOST = "127.0.0.1";

    private final WebServer server;
    private volatile boolean shut;

    /** @param heartbeat sends a heartbeat by its path, key and body, and returns the status of the answer */
    public TestPublicApi(Heartbeat heartbeat) {
        try {
            server = WebServer.bind(HOST, 0, "public-api", EmulatorLog.none());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.start(request -> RawResponse.empty(
                shut
                        ? 503
                        : request.rawPath().equals("/api/v1/agents")
                                ? 401
                                : heartbeat.send(
                                        request.rawPath(),
                                        request.header("X-API-Key"),
                                        new String(request.body(), StandardCharsets.UTF_8))));
    }

    /** Takes heartbeats. */
    @FunctionalInterface
    public interface Heartbeat {

        int send(String path, String apiKey, String body);
    }

    public String url() {
        return "http://" + HOST + ":" + server.port();
    }

    /** Starts to refuse every request with status 503. */
    public void shut() {
        shut = true;
    }

    /** Answers requests again. */
    public void open() {
        shut = false;
    }

    @Override
    public void close() {
        server.close();
    }
}
