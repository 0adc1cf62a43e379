package dev.agenthealth.local.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.ReceivedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the document of a registry's configuration, and prints the outcome of its import. */
final class TransferText {

    /** The maximum size of a file. It has room for 100,000 agents. */
    private static final long MAX_BYTES = 256L * 1024 * 1024;

    private TransferText() {}

    /** @throws CommandFailedException if the file cannot be read or has no JSON object; the message names the file */
    static ObjectNode document(Path file) {
        String shown = Text.plain(file.toString());
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CommandFailedException(shown + " is larger than 256 MB; nothing was imported");
            }
            if (Json.received(ReceivedText.of(Files.readString(file))) instanceof ObjectNode document) {
                return document;
            }
        } catch (IOException e) {
            throw new CommandFailedException(shown + " cannot be read: " + BackupCommand.reason(e), e);
        } catch (UnreadableJsonException e) {
            throw new CommandFailedException(shown + " " + e.getMessage() + "; nothing was imported", e);
        }
        throw new CommandFailedException(shown + " has no JSON object; nothing was imported");
    }

    /**
     * Prints the counts, the skipped objects and the secrets to set.
     *
     * @param all whether to print every object
     */
    static void print(JsonNode report, boolean all, Terminal terminal) {
        JsonNode counts = report.path("counts");
        terminal.out()
                .println((report.path("dry_run").asBoolean() ? "nothing was changed; an import: " : "")
                        + counts.path("created").asInt() + " created, "
                        + counts.path("updated").asInt() + " updated, "
                        + counts.path("unchanged").asInt() + " unchanged, "
                        + counts.path("skipped").asInt()
                        + " skipped");
        Table table = new Table(new Text(terminal), "section", "id", "result", "reason");
        boolean any = false;
        for (JsonNode entry : report.path("entries")) {
            if (all || entry.path("result").asText().equals("skipped")) {
                table.row(
                        Text.plain(entry.path("section").asText()),
                        Text.plain(entry.path("id").asText()),
                        Text.plain(entry.path("result").asText()),
                        Text.plain(entry.path("reason").asText()));
                any = true;
            }
        }
        if (any) {
            table.print(terminal);
        }
        for (JsonNode missing : report.path("secrets_to_set")) {
            List<String> fields = new ArrayList<>();
            missing.path("fields").forEach(field -> fields.add(field.asText()));
            terminal.out()
                    .println(Text.plain("set " + String.join(", ", fields) + " of "
                            + missing.path("section").asText() + " "
                            + missing.path("id").asText()));
        }
    }

    /** Returns the exit status of an import. */
    static int status(JsonNode report) {
        boolean complete = report.at("/counts/skipped").asInt() == 0
                && report.path("secrets_to_set").isEmpty();
        return complete ? ExitStatus.OK : ExitStatus.NOT_FINE;
    }
}
