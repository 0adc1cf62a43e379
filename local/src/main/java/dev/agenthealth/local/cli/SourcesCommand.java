package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the sources of agents, or removes a source. */
@Command(
        name = "sources",
        mixinStandardHelpOptions = true,
        description =
                "Lists the sources of agents with what their last sync did; 'import' adds one. Needs an administrator's key.")
final class SourcesCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private RegistryOptions registry;

    @Option(names = "--remove", paramLabel = "NAME", description = "remove a source; its agents stay")
    private String removed;

    @Option(names = "--json", description = "print JSON: {\"sources\": [...]}, as GET /v1/admin/sources has them")
    private boolean json;

    SourcesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<JsonNode> sources = registry.call(terminal, "administrator", client -> {
            if (removed != null) {
                client.sources().remove(removed);
            }
            return client.sources().stream().toList();
        });
        return terminal.list(json, "sources", sources, "there are no sources", this::print);
    }

    private void print(List<JsonNode> sources) {
        Table table = new Table(new Text(terminal), "source", "last sync", "result", "url");
        List<String> lines = new ArrayList<>();
        for (JsonNode source : sources) {
            JsonNode sync = source.path("last_sync");
            String name = Text.plain(source.path("name").asText());
            table.row(
                    name,
                    Text.ago(sync.path("at").asText(), Instant.now()),
                    sync.path("complete").asBoolean() || sync.isMissingNode()
                            ? SyncText.numbers(sync.path("counts"))
                            : "not complete",
                    Text.plain(source.path("url").asText()));
            sync.path("conflicts")
                    .forEach(conflict -> lines.add(name + ": conflict: "
                            + conflict.path("agent_id").asText() + ": "
                            + conflict.path("reason").asText()));
            sync.path("errors").forEach(error -> lines.add(name + ": error: " + error.asText()));
        }
        table.print(terminal);
        lines.forEach(line -> terminal.out().println(Text.plain(line)));
    }
}
