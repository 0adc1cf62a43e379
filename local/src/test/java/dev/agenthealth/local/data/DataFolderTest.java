package dev.agenthealth.local.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    private Path folder;

    @Test
    void a_disk_without_the_space_that_writes_need_is_a_warning() throws IOException {
        try (DataFolder data = DataFolder.take(folder.resolve("data"))) {
            assertThat(data.shortage(0)).isEmpty();
            assertThat(data.shortage(Long.MAX_VALUE).orElseThrow())
                    .startsWith("The disk of the data folder " + folder.resolve("data") + " has ")
                    .contains(" MB free. Requests that write are refused below ");
        }
    }
}
