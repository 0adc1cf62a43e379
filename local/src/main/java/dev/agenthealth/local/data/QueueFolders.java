package dev.agenthealth.local.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.dynamodb.Messages;
import dev.agenthealth.dynamodb.StoredMessage;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** The folders in which earlier versions stored the messages of queues, with a file for each message. The database has the messages now. */
public final class QueueFolders {

    /** The maximum number of messages in one commit. */
    private static final int MAX_BATCH = 500;

    private QueueFolders() {}

    /**
     * Moves all messages of a data folder into its database, and removes their folders. If the process ends meanwhile, the next start moves
     * the rest.
     *
     * @throws IOException if a message is damaged, or cannot be read or removed; the text says what to do
     */
    public static void moveInto(Messages database, Path folder) throws IOException {
        List<Path> files = FolderFiles.messages(folder);
        for (int i = 0; i < files.size(); i += MAX_BATCH) {
            List<Path> some = files.subList(i, Math.min(i + MAX_BATCH, files.size()));
            List<StoredMessage> messages = new ArrayList<>();
            for (Path file : some) {
                messages.add(read(file));
            }
            database.add(messages, true);
            for (Path file : some) {
                Files.delete(file);
            }
        }
        FolderFiles.deleteQueues(folder);
    }

    /**
     * Returns the message in a file.
     *
     * @throws IOException if the file is damaged or cannot be read; the text says what to do
     */
    static StoredMessage read(Path file) throws IOException {
        try {
            JsonNode json = Json.read(Files.readAllBytes(file));
            return new StoredMessage(
                    FolderFiles.queueOf(file),
                    json.path("id").asText(),
                    Instant.parse(json.path("sent_at").asText()),
                    json.path("body").asText());
        } catch (JsonProcessingException | DateTimeParseException e) {
            throw new IOException("the message " + file + " is damaged; delete it, or restore a backup", e);
        }
    }
}
