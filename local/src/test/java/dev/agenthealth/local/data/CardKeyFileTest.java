package dev.agenthealth.local.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key that signs agent cards stays with the data folder. */
class CardKeyFileTest {

    @TempDir
    private Path folder;

    @Test
    void a_folder_keeps_its_key_for_its_owner_only() throws IOException {
        String first = CardKeyFile.read(Optional.of(folder));
        Path file = folder.resolve("card.key");
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        assertThat(CardKeyFile.read(Optional.of(folder))).isEqualTo(first);
        assertThat(CardKeyFile.read(Optional.empty())).isNotEqualTo(first);
    }

    @Test
    void another_file_is_refused_with_what_to_do() throws IOException {
        Files.writeString(folder.resolve("card.key"), "{\"kty\":\"EC\"}");
        assertThatThrownBy(() -> CardKeyFile.read(Optional.of(folder)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("card.key holds no key; restore it from a backup, or delete it");
    }
}
