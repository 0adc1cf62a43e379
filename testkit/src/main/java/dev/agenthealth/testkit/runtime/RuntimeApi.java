package dev.agenthealth.testkit.runtime;

import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.FunctionDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Lambda's Runtime API (version 2018-06-01) for one function. The function's process requests its next invocation and posts the result.
 * SnapStart's part is included. Thread-safe.
 */
public final class RuntimeApi implements AutoCloseable {

    private static final String PREFIX = "/2018-06-01/runtime/";

    private final WebServer server;
    private final FunctionDefinition function;
    private final Clock clock;
    private final BlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
    private final Map<String, Invocation> running = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> restored = new CompletableFuture<>();

    private record Invocation(String requestId, byte[] payload, CompletableFuture<byte[]> answer) {}

    /** Thrown if the function or its start failed. The message is the report of its process. */
    public static final class FunctionErrorException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        FunctionErrorException(String message) {
            super(message);
        }
    }

    public RuntimeApi(FunctionDefinition function, Clock clock, EmulatorLog log) {
        this.function = function;
        this.clock = clock;
        try {
            server = WebServer.bind("127.0.0.1", 0, "runtime-api", log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.start(this::answer);
    }

    /** Returns host and port, in the form of {@code AWS_LAMBDA_RUNTIME_API}. */
    public String address() {
        return "127.0.0.1:" + server.port();
    }

    /** Returns a future that completes when the process first requests work, and fails if it could not start. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    /** Returns a future that completes when a process with SnapStart is ready for its snapshot and continues. */
    public CompletableFuture<Void> restored() {
        return restored;
    }

    /** Passes the payload to the process when it requests work; the response is JSON in UTF-8. */
    public CompletableFuture<byte[]> invoke(byte[] payload) {
        Invocation invocation = new Invocation(UUID.randomUUID().toString(), payload, new CompletableFuture<>());
        running.put(invocation.requestId(), invocation);
        waiting.add(invocation);
        if (ready.isCompletedExceptionally()) {
            fail("the function is not running");
        }
        return invocation.answer();
    }

    /** Fails all running invocations, because the process ended or reported an error. */
    public void fail(String reason) {
        FunctionErrorException failure = new FunctionErrorException(function.logicalId() + ": " + reason);
        ready.completeExceptionally(failure);
        restored.completeExceptionally(failure);
        running.values().forEach(invocation -> invocation.answer().completeExceptionally(failure));
    }

    @Override
    public void close() {
        // Releases requests waiting for work, which would delay the server's stop.
        waiting.add(new Invocation("", new byte[0], new CompletableFuture<>()));
        server.close();
    }

    private RawResponse answer(RawRequest request) {
        String call = request.method() + " " + request.rawPath().replaceFirst("^" + PREFIX, "");
        if (call.equals("GET invocation/next")) {
            return next();
        }
        if (call.equals("GET restore/next")) {
            restored.complete(null);
            return RawResponse.empty(200);
        }
        if (call.matches("POST (init|restore)/error")) {
            fail(text(request.body()));
            return RawResponse.json(202, Json.object().put("status", "OK"));
        }
        if (call.matches("POST invocation/[^/]+/(response|error)")) {
            ended(call.split("/")[1], call.endsWith("/response"), request.body());
            return RawResponse.json(202, Json.object().put("status", "OK"));
        }
        return RawResponse.problem(404, "route_not_found", "unknown call " + call);
    }

    private RawResponse next() {
        ready.complete(null);
        Invocation invocation;
        try {
            invocation = waiting.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an invocation", e);
        }
        if (invocation.requestId().isEmpty()) {
            return RawResponse.problem(500, "internal_error", "The environment is shut down.");
        }
        return RawResponse.of(200, "application/json", invocation.payload())
                .with("Lambda-Runtime-Aws-Request-Id", invocation.requestId())
                .with(
                        "Lambda-Runtime-Deadline-Ms",
                        String.valueOf(clock.millis() + function.timeout().toMillis()))
                .with(
                        "Lambda-Runtime-Invoked-Function-Arn",
                        "arn:aws:lambda:us-east-1:000000000000:function:" + function.name() + ":live")
                .with(
                        "Lambda-Runtime-Trace-Id",
                        "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700;Parent=9a9197af755a6419;Sampled=0");
    }

    private void ended(String requestId, boolean successful, byte[] body) {
        Invocation invocation = running.remove(requestId);
        if (invocation == null) {
            return;
        }
        if (successful) {
            invocation.answer().complete(body);
        } else {
            invocation
                    .answer()
                    .completeExceptionally(new FunctionErrorException(function.logicalId() + ": " + text(body)));
        }
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }
}
