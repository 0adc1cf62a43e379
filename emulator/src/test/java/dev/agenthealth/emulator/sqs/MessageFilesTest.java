package dev.agenthealth.emulator.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageFilesTest {

    private static final Message MESSAGE = new Message("m1", "text", Instant.parse("2026-02-08T10:00:00Z"));

    @TempDir
    private Path folder;

    @Test
    void a_message_is_there_until_it_is_forgotten() {
        MessageFiles files = new MessageFiles(folder);
        files.keep(MESSAGE);
        assertThat(new MessageFiles(folder).load()).isEqualTo(List.of(MESSAGE));
        files.forget("m1");
        assertThat(new MessageFiles(folder).load()).isEmpty();
    }

    @Test
    void a_message_that_cannot_be_written_leaves_no_part_and_is_written_later() throws IOException {
        MessageFiles files = new MessageFiles(folder);
        // In the way of the last step, as a full disk is.
        Path obstacle = Files.createDirectories(folder.resolve("m1.message/in-the-way"));
        assertThatThrownBy(() -> files.keep(MESSAGE)).isInstanceOf(UncheckedIOException.class);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(obstacle.getParent());
        }
        Files.delete(obstacle);
        Files.delete(obstacle.getParent());
        files.keep(MESSAGE);
        assertThat(files.load()).isEqualTo(List.of(MESSAGE));
    }

    @Test
    void a_part_that_a_crash_has_left_is_removed() throws IOException {
        Path part = Files.writeString(folder.resolve("m2.message.next"), "{\"id\"");
        assertThat(new MessageFiles(folder).load()).isEmpty();
        assertThat(part).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "[]"})
    void a_damaged_message_is_named_with_what_to_do(String text) throws IOException {
        Files.writeString(folder.resolve("m1.message"), text);
        assertThatThrownBy(() -> new MessageFiles(folder).load())
                .hasMessageContaining("m1.message is damaged; delete it, or restore a backup");
    }
}
