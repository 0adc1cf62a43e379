package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The glossary has one entry for each word, and the classes that it names exist. */
class GlossaryTest {

    private static final Path ROOT = ProjectFiles.path("template.yaml").getParent();
    private static final String GLOSSARY = ProjectFiles.text("docs/glossary.md");

    /** A row with a term, its meaning and its class. The heads of tables and the lines below them are no entries. */
    private static final Pattern ENTRY =
            Pattern.compile("^\\| (?!term \\|)([^|]+) \\| ([^|]+) \\| ?([^|]*)\\|$", Pattern.MULTILINE);

    private static final Pattern ROW = Pattern.compile("^\\| (?!term \\|)", Pattern.MULTILINE);
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");

    @Test
    void every_row_is_an_entry() {
        assertThat(entries()).hasSizeGreaterThan(60).hasSize((int)
                ROW.matcher(GLOSSARY).results().count());
    }

    @Test
    void no_term_occurs_twice() {
        assertThat(entries().stream().map(entry -> entry.group(1).toLowerCase(Locale.ROOT)))
                .doesNotHaveDuplicates();
    }

    @Test
    void every_class_exists() throws IOException {
        List<String> named = entries().stream()
                .flatMap(entry -> CLASS.matcher(entry.group(3)).results())
                .map(match -> match.group(1))
                .toList();
        assertThat(named).hasSizeGreaterThan(20);
        assertThat(classes()).containsAll(named);
    }

    private static List<MatchResult> entries() {
        return ENTRY.matcher(GLOSSARY).results().toList();
    }

    private static Set<String> classes() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            List<Path> sources = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
            return sources.stream().flatMap(folder -> namesIn(folder).stream()).collect(Collectors.toSet());
        }
    }

    private static List<String> namesIn(Path sources) {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
