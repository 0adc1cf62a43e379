package dev.agenthealth.local.documents;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the page of promises: its figures are those of the last long runs, and it names every test that attacks. */
@Tag(GeneratedText.TAG)
class ReliabilityDocumentTest {

    private static final String PAGE = "docs/reliability.md";
    private static final Pattern ATTACK = Pattern.compile("@Tag\\((Attack\\.TAG|\"attack\")\\)");

    @Test
    void the_page_shows_the_figures_of_the_last_long_runs() {
        String rows = figures().stream().map(ReliabilityDocumentTest::row).collect(joining());
        GeneratedText.between(PAGE, "<!-- figures: written by mvn verify -Dwrite -->", "<!-- end of figures -->")
                .check("\n| attack | date | figures |\n|---|---|---|\n" + rows + "\n");
    }

    @Test
    void the_page_names_every_test_that_attacks() throws IOException {
        String page = ProjectFiles.text(PAGE);
        assertThat(attacks()).isNotEmpty().allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    private static List<Path> figures() {
        Path folder = ProjectFiles.path("docs").resolve(Attack.FIGURES);
        if (!Files.exists(folder)) {
            return List.of();
        }
        return ProjectFiles.list(folder).stream()
                .filter(file -> file.toString().endsWith(".tsv"))
                .toList();
    }

    /** Returns the line of a file, whose first line is its date. */
    private static String row(Path file) {
        List<String[]> lines =
                ProjectFiles.text(file).lines().map(line -> line.split("\t")).toList();
        String figures = lines.stream()
                .skip(1)
                .map(line -> "%s: %,d".formatted(line[0], Long.parseLong(line[1])))
                .collect(joining("; "));
        String name = file.getFileName().toString().replace(".tsv", "");
        return "| %s | %s | %s |\n".formatted(name, lines.get(0)[1], figures);
    }

    private static List<String> attacks() throws IOException {
        try (Stream<Path> files = Files.walk(ProjectFiles.path("template.yaml").getParent(), 20)) {
            return files.filter(file -> file.toString().endsWith("Test.java"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .filter(file -> ATTACK.matcher(ProjectFiles.text(file)).find())
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .toList();
        }
    }
}
