package dev.agenthealth.local.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the audit log. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = "Lists who changed what, the newest changes first. Needs an administrator's key.")
final class AuditCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Option(
            names = "--since",
            paramLabel = "DURATION",
            defaultValue = "24h",
            converter = DurationConverter.class,
            description = "how far back, such as 90s, 4h or 7d (24h)")
    private Duration since;

    @Option(names = "--author", paramLabel = "AUTHOR", description = "changes by this author: the id of a key")
    private String author;

    @Option(names = "--agent", paramLabel = "AGENT", description = "changes of this agent")
    private String agentId;

    @Option(
            names = "--object",
            paramLabel = "TYPE[/ID]",
            description = "changes of what has this type, or of one of it")
    private String object;

    @Option(names = "--refused", description = "requests that were refused instead of changes")
    private boolean refused;

    @Mixin
    private ListOptions output;

    AuditCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Map<String, String> filters = new HashMap<>();
        filters.put("since", Instant.now().minus(since).toString());
        filters.put("author", author);
        filters.put("agent_id", agentId);
        if (object != null) {
            String[] parts = object.split("/", 2);
            filters.put("object_type", parts[0]);
            filters.put("object_id", parts.length > 1 ? parts[1] : null);
        }
        filters.put("outcome", refused ? "refused" : null);
        filters.values().removeIf(value -> value == null);
        Listing listing = new Listing(terminal, "entries")
                .time("when", "at")
                .column("author", entry -> entry.at("/author/name")
                        .asText(entry.at("/author/id").asText()))
                .field("action", "action")
                .column(
                        "object",
                        entry -> entry.at("/object/type").asText() + "/"
                                + entry.at("/object/id").asText())
                .field("from", "address")
                .check(output);
        return registry.call(
                terminal,
                "administrator",
                client -> listing.print(output, client.audit().stream(filters), "there are no such changes"));
    }
}
