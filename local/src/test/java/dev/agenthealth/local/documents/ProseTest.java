package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Javadoc and documents are written as CONTRIBUTING asks, so that a reader understands a sentence at first sight. */
class ProseTest {

    private static final Path ROOT = ProjectFiles.path("template.yaml").getParent();

    private static final double MAX_TANGLED_PERCENT_OF_JAVADOC = 0.3;
    private static final double MAX_TANGLED_PERCENT_OF_DOCUMENTS = 0.5;
    private static final double MAX_LONG_PERCENT_OF_DOCUMENTS = 2.0;

    @Test
    void few_sentences_of_javadoc_are_tangled() {
        List<Read> read = read("(?:.*/)?src/main/java/.*\\.java", Sentences::ofJava);
        assertThat(read).hasSizeGreaterThan(5_000);
        assertFew(read, Sentences::isTangled, MAX_TANGLED_PERCENT_OF_JAVADOC);
    }

    @Test
    void few_sentences_of_documents_are_tangled_or_long() {
        List<Read> read = read("README\\.md|CONTRIBUTING\\.md|docs/.*\\.md", Sentences::ofMarkdown);
        assertThat(read).hasSizeGreaterThan(1_500);
        assertFew(read, Sentences::isTangled, MAX_TANGLED_PERCENT_OF_DOCUMENTS);
        assertFew(read, Sentences::isLong, MAX_LONG_PERCENT_OF_DOCUMENTS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Those of an agent that are in use.",
                "What a process that was killed has left is removed.",
                "Where it has none, the default of the role counts.",
                "Turns the tags of one profile into those of another that has one that differs."
            })
    void a_sentence_without_a_clear_subject_is_found(String sentence) {
        assertThat(Sentences.isTangled(sentence)).isTrue();
    }

    @Test
    void a_clear_sentence_is_accepted() {
        assertThat(Sentences.ofJava("/** Returns the agent's leases. Costs one query. */ class A {}"))
                .containsExactly("Returns the agent's leases.");
        assertThat(Sentences.isTangled("The sweep marks the agent as dead.")).isFalse();
    }

    private static void assertFew(List<Read> all, Predicate<String> isBad, double maxPercent) {
        List<Read> bad =
                all.stream().filter(read -> isBad.test(read.sentence())).toList();
        assertThat(100.0 * bad.size() / all.size())
                .as("%d of %d sentences: %s", bad.size(), all.size(), bad)
                .isLessThanOrEqualTo(maxPercent);
    }

    private record Read(String file, String sentence) {}

    private static List<Read> read(String name, Function<String, List<String>> sentences) {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> ROOT.relativize(file).toString().matches(name))
                    .flatMap(file -> sentences.apply(text(file)).stream()
                            .map(sentence -> new Read(ROOT.relativize(file).toString(), sentence)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
