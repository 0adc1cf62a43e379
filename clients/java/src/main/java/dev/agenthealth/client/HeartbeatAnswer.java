package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The answer to a heartbeat (RFC-0016 §4.2). */
public final class HeartbeatAnswer extends Document {

    HeartbeatAnswer(JsonNode json) {
        super(json);
    }

    /** The agent's status after the heartbeat. */
    public String agentStatus() {
        return Json.text(node(), "agent_status");
    }

    public long incarnation() {
        return node().path("incarnation").asLong();
    }

    /** The time at which the heartbeat arrived, by the registry's clock. */
    public Optional<Instant> serverTimestamp() {
        return Json.moment(node(), "server_timestamp");
    }

    /** The drain that the registry asks for; empty where it asks for none. */
    public Optional<DrainCommand> drain() {
        return command("drain");
    }

    /** The restart that the registry asks for; empty where it asks for none. */
    public Optional<DrainCommand> restart() {
        return command("restart");
    }

    private Optional<DrainCommand> command(String name) {
        for (JsonNode command : node().path("pending_commands")) {
            if (Json.text(command, "command").equals(name)) {
                return Optional.of(new DrainCommand(
                        Json.text(command, "reason"),
                        Duration.ofSeconds(command.path("drain_timeout_seconds").asLong())));
            }
        }
        return Optional.empty();
    }

    /**
     * A request to drain, or to restart after a drain.
     *
     * @param reason for people; may be empty
     * @param timeout how long the agent may take from the start of the drain
     */
    public record DrainCommand(String reason, Duration timeout) {}

    /** The drain that the agent is to follow: a command, or one that an operator started for it. */
    Optional<Drain> drainToFollow() {
        return drain().map(command -> new Drain(Drain.Cause.COMMAND, command.reason(), command.timeout()))
                .or(() -> Optional.of(new Drain(Drain.Cause.COMMAND, "", Duration.ZERO))
                        .filter(started -> agentStatus().equals("draining")));
    }

    /** The time after which the registry asks for the next heartbeat; empty where the interval decides. */
    Optional<Duration> nextIn() {
        int seconds = node().path("next_heartbeat_in_seconds").asInt();
        return seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
    }
}
