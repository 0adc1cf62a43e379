package dev.agenthealth.local.cli;

import dev.agenthealth.client.Agents;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Requests an action of an agent. The answer to the agent's next heartbeat carries the request. */
abstract class AgentRequest implements Callable<Integer> {

    private static final int MAX_TIMEOUT_SECONDS = 86_400;

    private final Terminal terminal;
    private final String done;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "AGENT", description = "the agent's id")
    private String agentId;

    @Option(names = "--reason", defaultValue = "", paramLabel = "TEXT", description = "for people, up to 64 characters")
    private String reason;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "how long the drain may take, 1 to 86400; by default as the agent's role says, else 120")
    private Integer timeoutSeconds;

    AgentRequest(Terminal terminal, String done) {
        this.terminal = terminal;
        this.done = done;
    }

    /** Sends the request. A zero timeout means the timeout of the agent's role. */
    abstract void send(Agents agents, String agentId, String reason, Duration timeout);

    @Override
    public Integer call() {
        if (timeoutSeconds != null && (timeoutSeconds < 1 || timeoutSeconds > MAX_TIMEOUT_SECONDS)) {
            throw new CommandFailedException("--timeout must be 1 to " + MAX_TIMEOUT_SECONDS);
        }
        Duration timeout = timeoutSeconds == null ? Duration.ZERO : Duration.ofSeconds(timeoutSeconds);
        registry.call(terminal, "coordinator or administrator", client -> {
            send(client.agents(), agentId, reason, timeout);
            return ExitStatus.OK;
        });
        terminal.out().println(Text.plain(agentId) + done);
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    /** Requests an agent to drain. */
    @Command(
            name = "drain",
            mixinStandardHelpOptions = true,
            description =
                    "Asks an agent to finish its work and take no more; the answer to its next heartbeat says so.")
    static final class Drain extends AgentRequest {

        Drain(Terminal terminal) {
            super(terminal, " is asked to drain with the answer to its next heartbeat");
        }

        @Override
        void send(Agents agents, String agentId, String reason, Duration timeout) {
            agents.requestDrain(agentId, reason, timeout);
        }
    }

    /** Requests an agent to restart its process. */
    @Command(
            name = "restart",
            mixinStandardHelpOptions = true,
            description = {
                "Asks an agent to drain and to end its process with status 75, so that its supervisor starts it anew;",
                "the answer to its next heartbeat says so. The Python and Java clients follow."
            })
    static final class Restart extends AgentRequest {

        Restart(Terminal terminal) {
            super(terminal, " is asked to restart with the answer to its next heartbeat");
        }

        @Override
        void send(Agents agents, String agentId, String reason, Duration timeout) {
            agents.requestRestart(agentId, reason, timeout);
        }
    }
}
