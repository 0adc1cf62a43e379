package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the availability of an agent. */
@Command(
        name = AvailabilityCommand.NAME,
        mixinStandardHelpOptions = true,
        description = "Prints the availability of an agent over a window that ends now, and its incidents.")
final class AvailabilityCommand implements Callable<Integer> {

    static final String NAME = "availability";

    private final Terminal terminal;
    private final Text text;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "AGENT", description = "the agent's id")
    private String agentId;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            defaultValue = "24h",
            description = "24h, 30d or 90d; 24h by default")
    private String window;

    @Option(names = "--json", description = "print JSON: the answer of GET /api/v1/agents/AGENT/availability")
    private boolean json;

    AvailabilityCommand(Terminal terminal) {
        this.terminal = terminal;
        this.text = new Text(terminal);
    }

    @Override
    public Integer call() {
        return registry.call(terminal, "agent, viewer, coordinator or administrator", this::print);
    }

    private int print(AgentHealthClient client) {
        JsonNode answer = client.health().availability(agentId, window);
        if (json) {
            terminal.out().println(Text.json(answer));
        } else {
            print(answer);
        }
        terminal.checkOutput();
        return ExitStatus.OK;
    }

    private void print(JsonNode answer) {
        terminal.out()
                .println(text.bold(Text.plain(agentId)) + " was available " + percent(answer.path("availability"))
                        + " of the " + Text.duration(knownSeconds(answer)) + " that are known of the last " + window);
        for (String state : new String[] {"degraded", "down", "maintenance", "unknown"}) {
            long seconds = seconds(answer, state);
            if (seconds > 0) {
                terminal.out().println(state + " for " + Text.duration(seconds));
            }
        }
        JsonNode incidents = answer.path("incidents");
        if (incidents.isEmpty()) {
            return;
        }
        terminal.out().println();
        Instant now = Instant.now();
        Table table = new Table(text, "from", "to", "length", "state", "reason");
        incidents.forEach(incident -> table.row(
                Text.moment(incident.path("from").asText(), now),
                incident.path("to").isNull()
                        ? "lasts"
                        : Text.moment(incident.path("to").asText(), now),
                Text.duration(incident.path("seconds").asLong()),
                incident.path("state").asText(),
                incident.path("reason").isNull()
                        ? "-"
                        : Text.plain(incident.path("reason").asText())));
        table.print(terminal);
    }

    private static long knownSeconds(JsonNode answer) {
        return seconds(answer, "up") + seconds(answer, "degraded") + seconds(answer, "down");
    }

    private static long seconds(JsonNode answer, String state) {
        return answer.path(state + "_seconds").asLong();
    }

    private static String percent(JsonNode ratio) {
        return ratio.isNumber()
                ? new BigDecimal(ratio.asText())
                                .movePointRight(2)
                                .stripTrailingZeros()
                                .toPlainString() + " %"
                : "for an unknown part";
    }
}
