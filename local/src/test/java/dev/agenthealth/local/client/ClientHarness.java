package dev.agenthealth.local.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.AgentHealthClientBuilder;
import dev.agenthealth.client.testing.ManualScheduler;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.template.Template;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/** The whole system and clients of it, in one time that the test moves. */
final class ClientHarness implements AutoCloseable {

    static final String ADMINISTRATOR = "test-administrator-key";

    private static final Duration SWEEP = Duration.ofSeconds(10);

    final ManualScheduler scheduler = new ManualScheduler();
    final LocalSystem system;
    final RecordingProxy proxy;
    final RegistryCaller administrator;

    ClientHarness() throws IOException {
        system = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                .clock(scheduler.clock(Instant.parse("2026-02-08T10:00:00Z")), duration -> {})
                .byHand()
                .allowLoopbackEndpoints()
                .out(new PrintStream(OutputStream.nullOutputStream())));
        proxy = new RecordingProxy(system.baseUrl());
        administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR);
    }

    /** A key of agents. */
    record Key(String id, String secret) {}

    /** A new key for agents. */
    Key agentKey() {
        return key("/v1/admin/keys", "{\"role\":\"agent\",\"name\":\"test\"}");
    }

    /** The key with a new secret; the one before is refused from now on. */
    Key rotated(Key key) {
        return key("/v1/admin/keys/" + key.id() + "/rotate", "{\"overlap_seconds\":0}");
    }

    private Key key(String path, String body) {
        try {
            JsonNode json =
                    administrator.post(path, (ObjectNode) Json.read(body)).json();
            return new Key(json.path("key_id").asText(), json.path("api_key").asText());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    AgentHealthClientBuilder client(String key) {
        return AgentHealthClient.builder(proxy.url())
                .apiKey(key)
                .scheduler(scheduler)
                .clock(scheduler.clock(Instant.parse("2026-02-08T10:00:00Z").plusNanos(scheduler.nanoTime())))
                .random(new Random(3))
                .drainOnShutdown(false);
    }

    /** Lets the time pass, with a sweep every 10 seconds. */
    void advance(Duration time) {
        for (long seconds = 0; seconds < time.toSeconds(); seconds += SWEEP.toSeconds()) {
            scheduler.advance(SWEEP);
            system.runSchedules();
        }
    }

    /** Lets the time pass without the clients, as if their process were suspended. */
    void suspend(Duration time) {
        for (long seconds = 0; seconds < time.toSeconds(); seconds += SWEEP.toSeconds()) {
            scheduler.suspend(SWEEP);
            system.runSchedules();
        }
    }

    JsonNode events(String agentId) {
        return administrator.get("/api/v1/agents/" + agentId + "/events").json().path("events");
    }

    String status(String agentId) {
        return administrator
                .get("/api/v1/agents/" + agentId)
                .json()
                .path("status")
                .asText();
    }

    @Override
    public void close() {
        proxy.close();
        system.close();
        assertThat(proxy.faults())
                .as("exchanges that docs/openapi.yaml does not allow")
                .isEmpty();
    }
}
