package dev.agenthealth.local.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which tests cover which requirement, read from the {@code @Tag}s in the tests' source code. */
final class ConformanceDocument {

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"((?:R16|AHS|AHM|SN|SYS)-\\d\\d)\"\\)");

    private static final String NOT_YET = "not yet";

    private final Path root;

    ConformanceDocument(Path root) {
        this.root = root;
    }

    /**
     * A requirement as it stands in {@code docs/requirements.tsv}.
     *
     * @param planned what it describes is not there yet, which the fourth column says
     */
    record Requirement(String id, String source, String text, boolean planned) {}

    String text() throws IOException {
        Map<String, TreeSet<String>> tests = tests();
        List<Requirement> requirements = requirements();
        long covered =
                requirements.stream().filter(r -> tests.containsKey(r.id())).count();
        StringBuilder text = new StringBuilder();
        text.append("# Conformance\n\n");
        text.append("Generated from the tags of the tests; `docs/requirements.tsv` has the requirements. ")
                .append("To bring it up to date: `mvn verify -Dwrite`.\n\n");
        text.append(covered).append(" of ").append(requirements.size()).append(" requirements are covered.\n\n");
        text.append("| id | from | requirement | tests |\n|---|---|---|---|\n");
        for (Requirement requirement : requirements) {
            TreeSet<String> covering = tests.getOrDefault(requirement.id(), new TreeSet<>());
            text.append("| ")
                    .append(requirement.id())
                    .append(" | ")
                    .append(requirement.source())
                    .append(" | ")
                    .append(requirement.text())
                    .append(" | ")
                    .append(
                            covering.isEmpty()
                                    ? requirement.planned() ? NOT_YET : "**not covered**"
                                    : String.join(", ", covering))
                    .append(" |\n");
        }
        return text.toString();
    }

    /** Ids that tests carry but no requirement has: a misspelt tag. */
    TreeSet<String> unknownIds() throws IOException {
        TreeSet<String> unknown = new TreeSet<>(tests().keySet());
        requirements().forEach(r -> unknown.remove(r.id()));
        return unknown;
    }

    /** Returns requirements that no test covers though they are not planned, and planned ones that tests cover. */
    List<String> wronglyMarked() throws IOException {
        Map<String, TreeSet<String>> tests = tests();
        return requirements().stream()
                .filter(requirement -> requirement.planned() == tests.containsKey(requirement.id()))
                .map(Requirement::id)
                .toList();
    }

    private List<Requirement> requirements() throws IOException {
        return Files.readAllLines(root.resolve("docs/requirements.tsv")).stream()
                .map(line -> line.split("\t"))
                .map(columns -> new Requirement(
                        columns[0], columns[1], columns[2], columns.length > 3 && columns[3].equals(NOT_YET)))
                .toList();
    }

    /** Test classes by requirement, each with the number of tests that carry the id. */
    private Map<String, TreeSet<String>> tests() throws IOException {
        Map<String, Map<String, Integer>> counts = new TreeMap<>();
        for (Path source : TestSources.below(root)) {
            String name = source.getFileName().toString().replace(".java", "");
            Matcher tag = TAG.matcher(Files.readString(source));
            while (tag.find()) {
                counts.computeIfAbsent(tag.group(1), id -> new TreeMap<>()).merge(name, 1, Integer::sum);
            }
        }
        Map<String, TreeSet<String>> tests = new TreeMap<>();
        counts.forEach((id, classes) -> {
            TreeSet<String> names = new TreeSet<>();
            classes.forEach((name, count) -> names.add(count == 1 ? name : name + " (" + count + ")"));
            tests.put(id, names);
        });
        return tests;
    }
}
