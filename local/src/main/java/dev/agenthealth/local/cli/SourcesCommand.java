package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
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

    @Mixin
    private ListOptions output;

    SourcesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Listing listing = listing().check(output);
        List<JsonNode> sources = registry.call(terminal, "administrator", client -> {
            if (removed != null) {
                client.sources().remove(removed);
            }
            return client.sources().stream().toList();
        });
        int status = listing.print(output, sources.stream(), "there are no sources");
        if (!output.isJson() && !output.isQuiet()) {
            sources.forEach(this::printFaults);
        }
        return status;
    }

    private Listing listing() {
        Instant now = Instant.now();
        return new Listing(terminal, "sources")
                .field("source", "name")
                .column(
                        "last sync",
                        source -> Text.ago(source.at("/last_sync/at").asText(), now))
                .column("result", SourcesCommand::result)
                .field("url", "url");
    }

    private static String result(JsonNode source) {
        JsonNode sync = source.path("last_sync");
        return sync.path("complete").asBoolean() || sync.isMissingNode()
                ? SyncText.numbers(sync.path("counts"))
                : "not complete";
    }

    private void printFaults(JsonNode source) {
        String name = source.path("name").asText();
        JsonNode sync = source.path("last_sync");
        sync.path("conflicts").forEach(conflict -> terminal.out()
                .println(Text.plain(
                        name + ": conflict: " + conflict.path("agent_id").asText() + ": "
                                + conflict.path("reason").asText())));
        sync.path("errors").forEach(error -> terminal.out().println(Text.plain(name + ": error: " + error.asText())));
    }
}
