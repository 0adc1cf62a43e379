package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Stops agents with one command, lists stops and lifts them. */
@Command(
        name = StopCommand.NAME,
        mixinStandardHelpOptions = true,
        description =
                "Stops agents: the gateway does not call them, and each is asked to drain, also agents that register later."
                        + " Without agents it lists the stops in force. Needs an administrator's key.",
        footer = {
            "",
            "Stop the agents of a role, and let them work again:",
            "  java -jar agent-health-local.jar stop --role billing --reason 'deletes invoices'",
            "  java -jar agent-health-local.jar stop --role billing --lift"
        })
final class StopCommand implements Callable<Integer> {

    static final String NAME = "stop";

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RegistryOptions registry;

    @ArgGroup(exclusive = true)
    private Scope scope;

    @Option(names = "--reason", paramLabel = "TEXT", description = "why, for people and for callers of the agents")
    private String reason = "";

    @Option(names = "--dry-run", description = "only count the agents")
    private boolean counts;

    @Option(names = "--lift", description = "lift the stop")
    private boolean lifts;

    @Mixin
    private ListOptions output;

    StopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The agents of a stop. */
    static final class Scope {

        @Option(names = "--agent", paramLabel = "AGENT", description = "one agent")
        private String agentId;

        @Option(names = "--role", paramLabel = "ROLE", description = "the agents of a role")
        private String roleId;

        @Option(names = "--owner", paramLabel = "KEY_ID", description = "the agents that a key owns")
        private String keyId;

        @Option(names = "--all", description = "all agents")
        private boolean all;

        private Map.Entry<String, Object> named() {
            if (agentId != null) {
                return Map.entry("agent_id", agentId);
            }
            if (roleId != null) {
                return Map.entry("role_id", roleId);
            }
            return keyId == null ? Map.entry("all", true) : Map.entry("key_id", keyId);
        }
    }

    @Override
    public Integer call() {
        if (scope == null) {
            if (lifts || counts || !reason.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "the agents are missing: --agent, --role, --owner or --all");
            }
            Listing listing = listing().check(output);
            return registry.call(
                    terminal,
                    "administrator",
                    client -> listing.print(output, client.stops().list().stream(), "no stop is in force"));
        }
        if (!lifts && !counts && reason.isBlank()) {
            throw new ParameterException(spec.commandLine(), "the reason is missing: --reason TEXT");
        }
        return registry.call(terminal, "administrator", this::change);
    }

    private int change(AgentHealthClient client) {
        Map.Entry<String, Object> named = scope.named();
        JsonNode answer = lifts
                ? client.stops().lift(named.getKey(), named.getValue())
                : counts
                        ? client.stops().count(named.getKey(), named.getValue())
                        : client.stops().stop(named.getKey(), named.getValue(), reason);
        if (output.isJson()) {
            terminal.out().println(Text.json(answer));
        } else {
            String done = lifts ? "lifted: " : counts ? "would stop: " : "stopped: ";
            terminal.out().println(done + Text.plain(answer.path("stop").asText()) + ", " + agents(answer));
        }
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    private static String agents(JsonNode answer) {
        return (answer.path("complete").asBoolean() ? "" : "at least ")
                + number(answer.path("agents"), "agent") + ", "
                + number(answer.path("running_tasks"), "running task");
    }

    private static String number(JsonNode number, String noun) {
        return number.asText() + " " + noun + (number.asLong() == 1 ? "" : "s");
    }

    private Listing listing() {
        return new Listing(terminal, "stops")
                .field("stop", "stop")
                .field("reason", "reason")
                .time("since", "stopped_at")
                .field("by", "stopped_by");
    }
}
