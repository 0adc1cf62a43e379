package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.operations.source.ImportedId;
import dev.agenthealth.model.operations.source.SourceKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Imports the agents that an address or a file lists. */
@Command(
        name = ImportCommand.NAME,
        mixinStandardHelpOptions = true,
        description = {
            "Registers the agents that a catalogue, an agent card, a list of cards or a registry lists; needs an administrator's key.",
            "A URL becomes a source, which the registry reads again every hour. A file is read once, and deregisters nothing.",
            "A file may also be the answer of 'kubectl get services,cronjobs -o json': agents are services annotated with",
            "agent-health/watch (a path or a URL), and cron jobs annotated with agent-health/id or agent-health/capabilities."
        },
        footer = {"", "Exit status 3: there are conflicts, or entries that could not be taken over."})
final class ImportCommand implements Callable<Integer> {

    static final String NAME = "import";

    private static final String NEEDED = "administrator";
    private static final String STANDARD_INPUT = "-";

    /** The maximum size that the registry accepts. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private RegistryOptions registry;

    @Parameters(paramLabel = "URL|FILE|-", description = "what to import; - is standard input")
    private String from;

    @Option(names = "--dry-run", description = "show what would happen, and change nothing")
    private boolean dryRun;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "name of the source; by default the URL or the name of the file")
    private String name;

    @Option(
            names = "--key-id",
            paramLabel = "KEY_ID",
            description = "the key that owns the agents; a source that exists has one already")
    private String keyId;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description =
                    "what a URL offers, where the document does not say it: a2a_card, ai_catalog, mcp_registry, agent_health")
    private SourceKind kind;

    @Option(names = "--require-signature", description = "refuse entries without a validly signed card")
    private boolean requireSignature;

    @Option(names = "--json", description = "print JSON: the answer of POST /v1/admin/sources/NAME/sync")
    private boolean json;

    ImportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        boolean isAddress = from.matches("(?i)https?://.*");
        if (name == null) {
            String last = isAddress ? from.replaceFirst("/\\.well-known/.*", "") : from.replaceFirst(".*[/\\\\]", "");
            name = STANDARD_INPUT.equals(from) ? "standard-input" : ImportedId.of(last);
        }
        if (isAddress) {
            return show(registry.call(terminal, NEEDED, this::ofAddress));
        }
        if (kind != null || keyId == null) {
            throw kind == null ? keyMissing() : usage("--kind is for a URL: a document says what it is");
        }
        JsonNode document = document();
        JsonNode sync = registry.call(terminal, NEEDED, client -> client.sources()
                .sync(
                        name,
                        Map.of("key_id", keyId, "document", document, "require_signature", requireSignature),
                        dryRun));
        int status = show(sync);
        if (SyncText.isEmpty(sync)) {
            terminal.errors()
                    .println("nothing in it declares an agent"
                            + (document.has("apiVersion")
                                    ? ": no service has the annotation agent-health/watch, and no cron job agent-health/id or agent-health/capabilities"
                                    : ""));
            return ExitStatus.FAILED;
        }
        return status;
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private ParameterException keyMissing() {
        return usage(
                "--key-id KEY_ID names the key that will own the agents: 'keys list' lists them, 'keys create --role agent' issues one");
    }

    private JsonNode ofAddress(AgentHealthClient client) {
        Optional<JsonNode> before = client.sources().find(name);
        Map<String, Object> source = new HashMap<>();
        source.put("url", from);
        source.put(
                "key_id",
                Optional.ofNullable(keyId)
                        .or(() -> before.map(known -> known.path("key_id").asText()))
                        .orElseThrow(this::keyMissing));
        before.ifPresent(
                known -> List.of("kind", "require_signature").forEach(field -> source.put(field, known.path(field))));
        if (kind != null) {
            source.put("kind", kind.wireName());
        }
        if (requireSignature) {
            source.put("require_signature", true);
        }
        if (dryRun) {
            return client.sources().sync(name, source, true);
        }
        client.sources().put(name, source);
        return client.sources().sync(name);
    }

    private JsonNode document() {
        String shown = STANDARD_INPUT.equals(from) ? "standard input" : Text.plain(from);
        try (InputStream in = STANDARD_INPUT.equals(from) ? System.in : Files.newInputStream(Path.of(from))) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new CommandFailedException(
                        shown + " is larger than 4 MB; nothing was imported. Import it in parts");
            }
            return Json.received(ReceivedText.of(bytes));
        } catch (IOException e) {
            throw new CommandFailedException(shown + " cannot be read: " + BackupCommand.reason(e), e);
        } catch (UnreadableJsonException e) {
            throw new CommandFailedException(shown + " " + e.getMessage() + "; nothing was imported", e);
        }
    }

    private int show(JsonNode sync) {
        if (json) {
            terminal.out().println(Text.json(sync));
        } else {
            SyncText.print(sync, terminal);
        }
        terminal.checkOutput();
        return SyncText.status(sync);
    }
}
