package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The comments of the main code are sentences of the form that CONTRIBUTING asks for. */
class JavadocTest {

    private static final Pattern QUESTION =
            Pattern.compile("/\\*\\*\\s+(?:\\*\\s+)?(?:What|Whether|How|When|The same)\\b.*");

    @Test
    void a_javadoc_begins_with_a_verb_or_a_noun() throws IOException {
        List<Path> sources = sources();
        assertThat(sources).hasSizeGreaterThan(1_000);
        assertThat(sources.stream().flatMap(JavadocTest::questions)).isEmpty();
    }

    private static Stream<String> questions(Path source) {
        try {
            return QUESTION.matcher(Files.readString(source)).results().map(found -> source + ": " + found.group());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources() throws IOException {
        Path root = ProjectFiles.path("template.yaml").getParent();
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> root.relativize(file).toString().matches("(?:.*/)?src/main/java/.*\\.java"))
                    .toList();
        }
    }
}
