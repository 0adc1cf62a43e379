package dev.agenthealth.local.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A receiver of messages on this machine, as a webhook. Thread-safe. */
final class MessageReceiver implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 60;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final List<JsonNode> read = new ArrayList<>();
    private final HttpServer server;

    MessageReceiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** The data of the next message, once it is there. */
    JsonNode next() {
        try {
            String body = received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (body == null) {
                throw new AssertionError("no message arrived");
            }
            return Json.read(body).path("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The entry about this agent in a message, once it is there. */
    JsonNode about(String agentId) {
        while (true) {
            for (JsonNode message : read) {
                for (JsonNode event : message.path("events")) {
                    if (event.path("agent_id").asText().equals(agentId)) {
                        return event;
                    }
                }
            }
            read.add(next());
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
