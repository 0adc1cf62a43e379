package dev.agenthealth.local.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsKeyTest {

    @Test
    void a_data_folder_keeps_its_key(@TempDir Path folder) throws IOException {
        String first = SecretsKey.of(Optional.of(folder)).base64();
        assertThat(Base64.getDecoder().decode(first)).hasSize(32);
        assertThat(SecretsKey.of(Optional.of(folder)).base64()).isEqualTo(first);
        assertThat(folder).isDirectoryNotContaining(file -> file.toString().endsWith(".next"));
    }

    @Test
    void each_folder_and_each_run_without_one_has_a_key_of_its_own(@TempDir Path folder) throws IOException {
        assertThat(SecretsKey.of(Optional.of(folder)).base64())
                .isNotEqualTo(SecretsKey.of(Optional.empty()).base64());
        assertThat(SecretsKey.of(Optional.empty()).base64())
                .isNotEqualTo(SecretsKey.of(Optional.empty()).base64());
    }

    @Test
    void only_the_owner_may_read_the_file_also_after_it_was_copied(@TempDir Path folder) throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "files have no permissions here");
        SecretsKey.of(Optional.of(folder));
        Path file = folder.resolve(DataFolder.SECRETS_KEY);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        SecretsKey.of(Optional.of(folder));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no key", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void a_file_that_holds_no_key_stops_the_start_and_stays_as_it_is(String text, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve(DataFolder.SECRETS_KEY), text);
        assertThatThrownBy(() -> SecretsKey.of(Optional.of(folder)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("restore it from a backup");
        assertThat(file).hasContent(text);
    }
}
