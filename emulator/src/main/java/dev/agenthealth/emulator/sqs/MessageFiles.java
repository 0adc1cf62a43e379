package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.dynamodb.files.PrivateFiles;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Stores each message in its own file of a folder, and creates the folder if needed. Files are replaced atomically. */
final class MessageFiles implements MessageStore {

    private static final String SUFFIX = ".message";
    private static final String NEXT = SUFFIX + ".next";

    private final Path folder;

    MessageFiles(Path folder) {
        this.folder = folder;
    }

    @Override
    public List<Message> load() {
        List<Message> messages = new ArrayList<>();
        try {
            PrivateFiles.createFolders(folder);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    if (file.toString().endsWith(SUFFIX)) {
                        messages.add(read(file));
                    } else if (file.toString().endsWith(NEXT)) {
                        // Its sender got no answer.
                        Files.delete(file);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the messages in " + folder, e);
        }
        messages.sort(Comparator.comparing(Message::sentAt));
        return messages;
    }

    @Override
    public void keep(Message message) {
        Path file = file(message.id());
        Path next = folder.resolve(message.id() + NEXT);
        byte[] json = Json.bytes(Json.object()
                .put("id", message.id())
                .put("body", message.body())
                .put("sent_at", message.sentAt().toString()));
        try {
            Files.deleteIfExists(next);
            try (FileChannel channel = PrivateFiles.create(next)) {
                Channels.newOutputStream(channel).write(json);
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            syncNames();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, withoutPart(next, e));
        }
    }

    /** Syncs the folder; without it, a loss of power may remove the file. */
    private void syncNames() throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    /** Removes a partly written message, which takes space on a full disk, and returns {@code reason}. */
    private static IOException withoutPart(Path next, IOException reason) {
        try {
            Files.deleteIfExists(next);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
        return reason;
    }

    @Override
    public void forget(String messageId) {
        Path file = file(messageId);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + file, e);
        }
    }

    private Path file(String messageId) {
        return folder.resolve(messageId + SUFFIX);
    }

    static Message read(Path file) throws IOException {
        try {
            return message(Json.read(Files.readAllBytes(file)));
        } catch (JsonProcessingException | DateTimeParseException e) {
            throw new UncheckedIOException(
                    "the message " + file + " is damaged; delete it, or restore a backup", new IOException(e));
        }
    }

    private static Message message(JsonNode json) {
        return new Message(
                json.path("id").asText(),
                json.path("body").asText(),
                Instant.parse(json.path("sent_at").asText()));
    }
}
