package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists who calls whom. */
@Command(
        name = "calls",
        mixinStandardHelpOptions = true,
        description = "Lists who calls whom through the gateway, the most calls first. Needs a key for all roles.")
final class CallsCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Option(names = "--agent", paramLabel = "AGENT", description = "calls of this agent, and calls with its key")
    private String agentId;

    @Option(
            names = "--hours",
            paramLabel = "HOURS",
            defaultValue = "24",
            description = "how many hours back, 1 to 168 (24)")
    private int hours;

    @Mixin
    private ListOptions output;

    CallsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Map<String, String> query = new HashMap<>();
        query.put("agent_id", agentId);
        query.put("hours", Integer.toString(hours));
        query.values().removeIf(value -> value == null);
        Listing listing = new Listing(terminal, "calls")
                .column("caller", CallsCommand::caller)
                .field("agent", "agent_id")
                .field("calls", "calls")
                .field("failures", "failures")
                .column("failed", CallsCommand::failed)
                .wide("key", call -> call.path("caller").path("key_id").asText())
                .check(output);
        return registry.call(
                terminal,
                "viewer, coordinator or administrator",
                client -> listing.print(
                        output, client.list("/api/v1/calls", query, "calls"), "nobody called an agent by the gateway"));
    }

    /** Returns the agent that calls, or the name of its key. */
    private static String caller(JsonNode call) {
        JsonNode caller = call.path("caller");
        String named = caller.path("agent_id").asText(caller.path("name").asText());
        return named.isEmpty() ? caller.path("key_id").asText() : named;
    }

    private static String failed(JsonNode call) {
        return String.format(
                Locale.ROOT, "%.1f %%", 100 * call.path("failure_rate").asDouble());
    }
}
