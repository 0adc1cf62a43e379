package dev.agenthealth.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/conformance.md} true; with {@code -Dconformance.write=true} it is written instead of checked. */
class ConformanceDocumentTest {

    private static final Path ROOT = root();
    private static final Path DOCUMENT = ROOT.resolve("docs/conformance.md");

    @Test
    void is_up_to_date() throws IOException {
        String text = new ConformanceDocument(ROOT).text();
        if (Boolean.getBoolean("conformance.write")) {
            Files.writeString(DOCUMENT, text);
        }
        assertThat(Files.readString(DOCUMENT))
                .as("docs/conformance.md is out of date: run mvn verify -Dconformance.write=true")
                .isEqualTo(text);
    }

    @Test
    void no_test_carries_an_id_that_is_no_requirement() throws IOException {
        assertThat(new ConformanceDocument(ROOT).unknownIds()).isEmpty();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/requirements.tsv"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
