package dev.agenthealth.local.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may use a data folder, and who removes it. */
class FolderLockTest {

    @TempDir
    private Path parent;

    private Path folder() {
        return parent.resolve("new").resolve("data");
    }

    private void write(String name) throws IOException {
        Files.writeString(folder().resolve(name), "x");
    }

    @Test
    void a_removed_folder_leaves_no_parent_that_it_created() throws IOException {
        FolderLock lock = FolderLock.take(folder());
        write("agent-health.db");
        write("secrets.key");
        lock.closeAndRemove();
        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void a_folder_that_existed_stays_with_its_files() throws IOException {
        FolderLock.take(folder()).close();
        write("agent-health.db");
        FolderLock.take(folder()).closeAndRemove();
        assertThat(folder().resolve("agent-health.db")).exists();
    }

    @Test
    void a_folder_with_a_file_of_something_else_stays_with_this_file() throws IOException {
        FolderLock lock = FolderLock.take(folder());
        write("agent-health.db");
        write("notes.txt");
        lock.closeAndRemove();
        assertThat(folder()).isDirectoryContaining(file -> file.endsWith("notes.txt"));
        assertThat(folder().resolve("agent-health.db")).doesNotExist();
    }

    @Test
    void a_folder_that_another_run_uses_stays() throws IOException {
        FolderLock first = FolderLock.take(folder());
        assertThatThrownBy(() -> FolderLock.take(folder())).hasMessageContaining("in use");
        assertThat(folder().resolve("lock")).exists();
        first.close();
    }

    @Test
    void a_folder_that_cannot_be_created_leaves_no_parent() {
        Path tooLong = parent.resolve("new").resolve("x".repeat(300));
        assertThatThrownBy(() -> FolderLock.take(tooLong)).hasMessageContaining("cannot write to the data folder");
        assertThat(parent).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_folder_that_a_failed_start_removes_meanwhile_is_not_taken(boolean isCreatedAgain) throws IOException {
        FolderLock failed = FolderLock.take(folder());
        assertThat(FolderLock.attempt(folder(), () -> remove(failed, isCreatedAgain)))
                .isEmpty();
        FolderLock next = FolderLock.take(folder());
        assertThat(folder().resolve("lock")).exists();
        next.close();
    }

    private void remove(FolderLock failed, boolean isCreatedAgain) {
        try {
            failed.closeAndRemove();
            assertThat(parent).isEmptyDirectory();
            if (isCreatedAgain) {
                Files.createDirectories(folder());
                write("lock");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
