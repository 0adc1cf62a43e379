package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints tokens and calls. */
@Command(
        name = UsageCommand.NAME,
        mixinStandardHelpOptions = true,
        description =
                "Prints the tokens and calls of roles, owners, models, providers or agents, the most tokens first.")
final class UsageCommand implements Callable<Integer> {

    static final String NAME = "usage";

    private static final String[] COUNTERS = {
        "input_tokens", "output_tokens", "cache_read_tokens", "model_calls", "tool_calls", "executions"
    };

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Option(
            names = "--by",
            paramLabel = "SUBJECT",
            description = "role, owner, model, provider or agent; role by default, agent with --agent")
    private String by;

    @Option(names = "--agent", paramLabel = "AGENT", description = "only this agent")
    private String agentId;

    @Option(names = "--role", paramLabel = "ROLE", description = "only this role, or with --by agent its agents")
    private String roleId;

    @Option(
            names = "--days",
            paramLabel = "DAYS",
            defaultValue = "1",
            description = "the last days, from 1 to 90; 1 by default")
    private int days;

    @Option(names = "--json", description = "print JSON: the answer of GET /api/v1/usage")
    private boolean json;

    UsageCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        return registry.call(terminal, "viewer, coordinator or administrator", this::print);
    }

    private int print(AgentHealthClient client) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (days != 1) {
            // The registry's own default is a day, by its clock.
            parameters.put("from", Instant.now().minus(days, ChronoUnit.DAYS).toString());
        }
        if (agentId != null) {
            parameters.put("agent_id", agentId);
        }
        if (roleId != null) {
            parameters.put("role_id", roleId);
        }
        JsonNode answer = client.health().usage(by == null ? agentId == null ? "role" : "agent" : by, parameters);
        if (json) {
            terminal.out().println(Text.json(answer));
        } else {
            print(answer);
        }
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    private void print(JsonNode answer) {
        if (answer.path("series").isEmpty()) {
            terminal.out().println("no usage was reported");
            return;
        }
        List<String> heads = new ArrayList<>(List.of(
                answer.path("by").asText(), "input", "output", "cached", "model calls", "tool calls", "executions"));
        List<String> fields = new ArrayList<>(List.of(COUNTERS));
        if (answer.has("currency")) {
            heads.add("estimated " + Text.plain(answer.path("currency").asText()));
            fields.add("estimated_cost");
        }
        Table table = new Table(new Text(terminal), heads.toArray(String[]::new));
        answer.path("series").forEach(series -> table.row(row(name(series), series.path("total"), fields)));
        table.row(row("total", answer.path("total"), fields));
        table.print(terminal);
        if (answer.path("unpriced_tokens").asLong() > 0) {
            terminal.out()
                    .println("tokens without a price: "
                            + answer.path("unpriced_tokens").asLong());
        }
    }

    private static String name(JsonNode series) {
        String id = series.path("id").asText();
        return id.isEmpty() ? "unknown" : Text.plain(id);
    }

    private static String[] row(String name, JsonNode numbers, List<String> fields) {
        List<String> cells = new ArrayList<>(List.of(name));
        fields.forEach(field -> cells.add(numbers.path(field).asText()));
        return cells.toArray(String[]::new);
    }
}
