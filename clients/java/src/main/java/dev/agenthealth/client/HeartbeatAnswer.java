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

    /** Returns the agent's status after the heartbeat. */
    public String agentStatus() {
        return Json.text(node(), "agent_status");
    }

    public long incarnation() {
        return node().path("incarnation").asLong();
    }

    /** Returns the time at which the heartbeat arrived, by the registry's clock. */
    public Optional<Instant> serverTimestamp() {
        return Json.moment(node(), "server_timestamp");
    }

    /** Returns the drain that the registry requests; empty if it requests none. */
    public Optional<DrainCommand> drain() {
        return command("drain");
    }

    /** Returns the restart that the registry requests; empty if it requests none. */
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
     * @param timeout the maximum time from the start of the drain
     */
    public record DrainCommand(String reason, Duration timeout) {}

    /** Returns the drain that the agent has to follow: a command, or a drain that an operator started for the agent. */
    Optional<Drain> drainToFollow() {
        return drain().map(command -> new Drain(Drain.Cause.COMMAND, command.reason(), command.timeout()))
                .or(() -> Optional.of(new Drain(Drain.Cause.COMMAND, "", Duration.ZERO))
                        .filter(started -> agentStatus().equals("draining")));
    }

    /** Returns the time after which the registry asks for the next heartbeat; empty if the interval applies. */
    Optional<Duration> nextIn() {
        int seconds = node().path("next_heartbeat_in_seconds").asInt();
        return seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
    }
}
