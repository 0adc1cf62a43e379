package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The commands of documents show the errors of their requests. A hidden error appears later, and elsewhere. */
class VisibleErrorsTest {

    /** A silent client, an answer of any status that is thrown away, and a refusal that becomes the value of a variable. */
    private static final Pattern HIDDEN =
            Pattern.compile("curl -s |curl(?![^\n]* --fail)[^\n]*> ?/dev/null|[|] sed 's/[.][*]\"api_key");

    @Test
    void no_documented_command_hides_an_error() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        root = Files.exists(root.resolve("template.yaml")) ? root : root.getParent();
        List<Path> documents = new ArrayList<>(List.of(root.resolve("README.md")));
        for (String folder : new String[] {"docs", "examples"}) {
            try (Stream<Path> files = Files.walk(root.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        for (Path document : documents) {
            for (String line : Files.readAllLines(document)) {
                assertThat(HIDDEN.matcher(line).find())
                        .as(document + ": " + line)
                        .isFalse();
            }
        }
        assertThat(documents).hasSizeGreaterThan(50);
    }
}
