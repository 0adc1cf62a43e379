package dev.agenthealth.local.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.EventCheck;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.local.testing.RegistryCaller.Answer;
import dev.agenthealth.local.testing.ScriptedAgent;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** The whole system on this machine, agents that it calls, and a caller with a key of its own. */
final class LocalGateway implements AutoCloseable {

    private static final String ADMINISTRATOR_KEY = "test-administrator-key";

    /** Long enough for a queue to hand a message out once more. */
    private static final Duration NEXT_TRY = Duration.ofSeconds(450);

    private final MutableClock clock = MutableClock.atExampleTime();
    private final ScriptedAgent agents = new ScriptedAgent(clock::advance);
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final LocalOptions options;
    private LocalSystem system;
    private RegistryCaller administrator;
    private RegistryCaller caller;
    private int callers;

    /** A system in which agents may have endpoints on this machine. */
    LocalGateway() {
        this(LocalOptions::allowLoopbackEndpoints);
    }

    LocalGateway(UnaryOperator<LocalOptions> more) {
        options = more.apply(LocalOptions.of(Template.find(), ADMINISTRATOR_KEY)
                .clock(clock, clock::advance)
                .byHand()
                .out(new PrintStream(log, true, StandardCharsets.UTF_8)));
        start();
    }

    /** Ends the system and starts it again, on the same data where it has a folder for it. */
    void restart() {
        system.close();
        start();
    }

    private void start() {
        try {
            system = LocalSystem.start(options);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        administrator = new RegistryCaller(system.baseUrl(), ADMINISTRATOR_KEY);
        caller = newCaller("agent");
    }

    /** A caller with its own key. */
    RegistryCaller newCaller(String role) {
        return new RegistryCaller(system.baseUrl(), newKey(role));
    }

    /** A new key. */
    String newKey(String role) {
        ObjectNode body = Json.object().put("role", role).put("name", "caller " + ++callers);
        body.putArray("provider_ids").add("acme-labs");
        Answer key = administrator.post("/v1/admin/keys", body);
        assertThat(key.status()).isEqualTo(201);
        return key.json().path("api_key").asText();
    }

    LocalSystem system() {
        return system;
    }

    MutableClock clock() {
        return clock;
    }

    ScriptedAgent agents() {
        return agents;
    }

    RegistryCaller administrator() {
        return administrator;
    }

    /** All that was logged. */
    String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    void register(String agentId, String providerId, String endpoint) {
        register(administrator, agentId, providerId, endpoint, Json.object());
    }

    /** @param more fields of the registration */
    void register(RegistryCaller owner, String agentId, String providerId, String endpoint, ObjectNode more) {
        ObjectNode agent = Json.object();
        agent.put("agent_id", agentId)
                .put("provider_id", providerId)
                .put("endpoint", endpoint.isEmpty() ? null : endpoint);
        agent.setAll(more);
        if (owner == administrator) {
            agent.put("owner_key_id", "administrator");
        }
        Answer answer = owner.post("/api/v1/agents", agent);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    }

    /** A caller's usual request; a second later, so that no caller is ever too fast. */
    Answer invoke(String agentId) {
        return invoke(agentId, Json.object().put("message", "Pay invoice 42."));
    }

    Answer invoke(String agentId, ObjectNode request) {
        clock.advanceSeconds(1);
        return caller.post("/v1/agents/" + agentId + "/invoke", request);
    }

    /** The id of the receipt. */
    String invokeAsync(String agentId, ObjectNode request) {
        clock.advanceSeconds(1);
        Answer answer = caller.post("/v1/agents/" + agentId + "/invoke-async", request);
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        assertThat(answer.json().path("status").asText()).isEqualTo("accepted");
        return answer.json().path("receipt_id").asText();
    }

    JsonNode receipt(String receiptId) {
        Answer answer = caller.get("/v1/receipts/" + receiptId);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    /** Advances the clock to the queue's next delivery attempt. */
    void nextTry() {
        nextTry(NEXT_TRY);
    }

    /** Delivers what the queue holds after this time. */
    void nextTry(Duration pause) {
        clock.advance(pause);
        system.drainQueues();
    }

    JsonNode trustOfAgent(String agentId) {
        return read("/v1/trust/agents/" + agentId);
    }

    JsonNode trustOfProvider(String providerId) {
        return read("/v1/trust/providers/" + providerId);
    }

    JsonNode healthOfAgent(String agentId) {
        return read("/v1/health/agents/" + agentId);
    }

    JsonNode healthOfProvider(String providerId) {
        return read("/v1/health/providers/" + providerId);
    }

    /** The agent's score with its inputs, after the next measurement. */
    JsonNode measured(String agentId) {
        clock.advanceSeconds(60);
        system.runSchedules();
        return read("/api/v1/agents/" + agentId + "/health");
    }

    void block(String what, String id) {
        Answer answer = administrator.post(
                "/v1/admin/" + what + "/" + id + "/block", Json.object().put("reason", "under review"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().path("blocked").asBoolean()).isTrue();
    }

    void unblock(String what, String id) {
        Answer answer = administrator.post("/v1/admin/" + what + "/" + id + "/unblock");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().path("blocked").asBoolean()).isFalse();
    }

    /** Gives the agent another endpoint. */
    void moveTo(String agentId, String endpoint) {
        String version = administrator
                .get("/api/v1/agents/" + agentId)
                .json()
                .path("version")
                .asText();
        Answer answer =
                administrator.patch("/api/v1/agents/" + agentId, Json.object().put("endpoint", endpoint), version);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    void deregister(String agentId) {
        administrator.delete("/api/v1/agents/" + agentId);
    }

    JsonNode read(String path) {
        Answer answer = administrator.get(path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    Instant now() {
        return clock.instant();
    }

    @Override
    public void close() {
        try {
            EventCheck.run(system);
        } finally {
            system.close();
            agents.close();
        }
    }
}
