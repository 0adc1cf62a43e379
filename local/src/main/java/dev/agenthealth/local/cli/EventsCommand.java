package dev.agenthealth.local.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists events. */
@Command(
        name = "events",
        mixinStandardHelpOptions = true,
        description = "Lists the events of agents and of the registry, the oldest first.")
final class EventsCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Option(
            names = "--since",
            paramLabel = "DURATION",
            defaultValue = "1h",
            converter = DurationConverter.class,
            description = "how far back, such as 90s, 4h or 7d (1h)")
    private Duration since;

    @Option(names = "--type", paramLabel = "TYPE", description = "events of these types, separated by commas")
    private String type;

    @Option(names = "--agent", paramLabel = "AGENT", description = "events of this agent")
    private String agentId;

    @Option(names = "--role", paramLabel = "ROLE", description = "events of agents of this role")
    private String roleId;

    @Mixin
    private ListOptions output;

    EventsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Map<String, String> query = new HashMap<>();
        query.put("since", Instant.now().minus(since).toString());
        query.put("type", type);
        query.put("agent_id", agentId);
        query.put("role_id", roleId);
        query.values().removeIf(value -> value == null);
        Listing listing = new Listing(terminal, "events")
                .time("when", "timestamp")
                .column("subject", EventText::subject)
                .column("event", EventText::kind)
                .column("state", EventText::state)
                .column("reason", EventText::reason)
                .wide("type", event -> event.path("type").asText())
                .check(output);
        return registry.call(
                terminal,
                "viewer, coordinator or administrator",
                client -> listing.print(
                        output, client.list("/api/v1/events", query, "events"), "there are no such events"));
    }
}
