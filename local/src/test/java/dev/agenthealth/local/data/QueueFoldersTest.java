package dev.agenthealth.local.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.dynamodb.EmbeddedDynamoDb;
import dev.agenthealth.dynamodb.StoredMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueFoldersTest {

    @TempDir
    private Path folder;

    private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inTemporaryFile(Clock.systemUTC());

    @AfterEach
    void close() {
        database.close();
    }

    private Path write(String queue, String id, String text) throws IOException {
        Path messages = Files.createDirectories(folder.resolve("queue-" + queue));
        return Files.writeString(messages.resolve(id + ".message"), text);
    }

    private Path write(String queue, String id) throws IOException {
        return write(
                queue,
                id,
                """
                {"id":"%s","body":"text","sent_at":"2026-02-08T10:00:00.123456Z"}\
                """
                        .formatted(id));
    }

    private static StoredMessage message(String queue, String id) {
        return new StoredMessage(queue, id, Instant.parse("2026-02-08T10:00:00.123Z"), "text");
    }

    @Test
    void messages_of_an_earlier_version_move_into_the_database() throws IOException {
        for (int i = 0; i < 1_001; i++) {
            write("Work", "m" + i);
        }
        write("Other", "m");
        Files.writeString(folder.resolve("queue-Work/m.message.next"), "{");
        QueueFolders.moveInto(database.messages(), folder);
        assertThat(database.messages().load("Work"))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 1_001)
                        .mapToObj(i -> message("Work", "m" + i))
                        .toList());
        assertThat(database.messages().load("Other")).containsExactly(message("Other", "m"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_move_that_was_interrupted_is_repeated() throws IOException {
        write("Work", "m");
        // Ended after the commit and before the removal of the file.
        database.messages().add(List.of(message("Work", "m")), true);
        QueueFolders.moveInto(database.messages(), folder);
        assertThat(database.messages().load("Work")).containsExactly(message("Work", "m"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "[]"})
    void a_damaged_message_is_named_with_what_to_do(String text) throws IOException {
        Path damaged = write("Work", "m1", text);
        assertThatThrownBy(() -> QueueFolders.moveInto(database.messages(), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("m1.message is damaged; delete it, or restore a backup");
        assertThat(damaged).exists();
    }
}
