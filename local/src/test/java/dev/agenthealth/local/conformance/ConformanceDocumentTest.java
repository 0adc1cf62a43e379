package dev.agenthealth.local.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keeps {@code docs/reference/conformance.md} true. */
@Tag(GeneratedText.TAG)
class ConformanceDocumentTest {

    private static final Path ROOT = ProjectFiles.path("template.yaml").getParent();

    @Test
    void the_document_names_the_tests_of_every_requirement() throws IOException {
        GeneratedText.of("docs/reference/conformance.md").check(new ConformanceDocument(ROOT).text());
    }

    @Test
    void every_requirement_is_covered_or_marked_as_not_yet_there() throws IOException {
        assertThat(new ConformanceDocument(ROOT).wronglyMarked()).isEmpty();
    }

    @Test
    void no_test_carries_an_id_that_is_no_requirement() throws IOException {
        assertThat(new ConformanceDocument(ROOT).unknownIds()).isEmpty();
    }
}
