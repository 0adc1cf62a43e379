package dev.agenthealth.local.documents;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.GeneratedText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the decisions, their index and what refers to them. */
@Tag(GeneratedText.TAG)
class DecisionsTest {

    private static final Path ROOT = root();
    private static final Path INDEX = ROOT.resolve("docs/decisions.md");
    private static final int MAX_LINES = 12;

    private static final String INTRODUCTION =
            """
            # Decisions

            These decisions fill the room that the specifications leave. Each has a question, a decision and a consequence. `mvn verify -Dwrite` writes
            this index. A new decision gets the next number, in the file of its group. The number of a removed decision is not used again.
            """;

    private static final Pattern TITLE = Pattern.compile("^# (.+)$", Pattern.MULTILINE);
    private static final Pattern ENTRY =
            Pattern.compile("^## (\\d+)\\. (.+)$\\n(?s:(.*?))(?=^## |\\z)", Pattern.MULTILINE);
    private static final Pattern FORM =
            Pattern.compile("\\n\\*\\*Question\\.\\*\\* (?s:.+)\\n\\n\\*\\*Decision\\.\\*\\* (?s:.+)\\n\\n"
                    + "\\*\\*Consequence\\.\\*\\* (?s:.+)");

    /** A number, a list of numbers or a range of numbers of decisions, possibly with the brackets of a link. */
    private static final Pattern MENTION =
            Pattern.compile("\\bdecisions?\\s+(\\[?\\d+(?:(?:, | and | to )\\d+)*)", Pattern.CASE_INSENSITIVE);

    private static final Pattern LINK = Pattern.compile("decisions/([a-z]+)\\.md#([\\w-]+)");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private static final Set<String> TEXTS =
            Set.of("java", "md", "yaml", "yml", "xml", "py", "js", "json", "toml", "sh", "");
    private static final Set<String> GENERATED = Set.of("target", ".git", "node_modules", ".aws-sam", ".idea", "build");

    @Test
    void the_index_lists_every_decision() throws IOException {
        String text = INTRODUCTION + groups().stream().map(Group::table).collect(joining());
        GeneratedText.of("docs/decisions.md").check(text);
    }

    @Test
    void each_decision_has_a_number_of_its_own() throws IOException {
        assertThat(decisions().map(Decision::number)).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void each_decision_is_a_question_a_decision_and_a_consequence() throws IOException {
        assertThat(decisions()).allSatisfy(decision -> {
            assertThat(decision.text()).as(decision.title()).matches(FORM);
            assertThat(decision.text().strip().lines().count())
                    .as("lines of " + decision.title())
                    .isLessThanOrEqualTo(MAX_LINES - 2);
        });
    }

    @Test
    @Tag("R16-41")
    void the_scope_names_what_belongs_to_other_documents() throws IOException {
        List<String> rows = Files.readString(ROOT.resolve("docs/scope.md"))
                .lines()
                .filter(line -> line.matches("\\| .*, RFC-\\d+ \\|.*"))
                .toList();
        for (String document : List.of("RFC-0003", "RFC-0011", "RFC-0013", "RFC-0014", "RFC-0015")) {
            assertThat(rows).as(document).anyMatch(row -> row.contains(document) && row.contains(" scope"));
        }
    }

    @Test
    void every_decision_that_is_referred_to_exists() throws IOException {
        Set<Integer> numbers = decisions().map(Decision::number).collect(Collectors.toSet());
        Set<String> links = groups().stream()
                .flatMap(group -> group.decisions().stream().map(decision -> group.link(decision)))
                .collect(Collectors.toSet());
        List<String> missing = new ArrayList<>();
        for (Path file : texts()) {
            String text = Files.readString(file);
            MENTION.matcher(text)
                    .results()
                    .flatMap(mention -> NUMBER.matcher(mention.group(1)).results())
                    .map(MatchResult::group)
                    .filter(number -> !numbers.contains(Integer.valueOf(number)))
                    .forEach(number -> missing.add(ROOT.relativize(file) + ": decision " + number));
            LINK.matcher(text)
                    .results()
                    .map(MatchResult::group)
                    .filter(link -> !links.contains(link))
                    .forEach(link -> missing.add(ROOT.relativize(file) + ": " + link));
        }
        assertThat(missing).isEmpty();
    }

    /** A file of decisions. */
    private record Group(String file, String title, List<Decision> decisions) {

        static Group of(Path path) {
            try {
                String text = Files.readString(path);
                String title = TITLE.matcher(text)
                        .results()
                        .map(match -> match.group(1))
                        .findFirst()
                        .orElseThrow();
                List<Decision> decisions = ENTRY.matcher(text)
                        .results()
                        .map(entry -> new Decision(Integer.parseInt(entry.group(1)), entry.group(2), entry.group(3)))
                        .toList();
                return new Group(path.getFileName().toString(), title, decisions);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String table() {
            String rows = decisions.stream()
                    .sorted(Comparator.comparing(Decision::number))
                    .map(decision ->
                            "| %d | [%s](%s) |\n".formatted(decision.number(), decision.title(), link(decision)))
                    .collect(joining());
            return "\n## " + title + "\n\n| number | decision |\n|---|---|\n" + rows;
        }

        String link(Decision decision) {
            return "decisions/" + file + "#" + decision.anchor();
        }
    }

    private record Decision(int number, String title, String text) {

        /** Returns the anchor that GitHub gives the heading. */
        String anchor() {
            return (number + "-" + title.replace(' ', '-'))
                    .replaceAll("[^\\w-]", "")
                    .toLowerCase(Locale.ROOT);
        }
    }

    private static Stream<Decision> decisions() throws IOException {
        return groups().stream().flatMap(group -> group.decisions().stream());
    }

    /** Returns the files by the smallest number in each. */
    private static List<Group> groups() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/decisions"))) {
            return files.map(Group::of)
                    .sorted(Comparator.comparing(group -> group.decisions().stream()
                            .mapToInt(Decision::number)
                            .min()
                            .orElseThrow()))
                    .toList();
        }
    }

    /** Returns every text of the project but the index, which has a test of its own. */
    private static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return GENERATED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                String extension = name.contains(".") ? name.substring(name.lastIndexOf('.') + 1) : "";
                if (TEXTS.contains(extension) && !file.equals(INDEX)) {
                    texts.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return texts;
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/decisions.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
