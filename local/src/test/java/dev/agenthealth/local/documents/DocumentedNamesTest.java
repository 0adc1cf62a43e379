package dev.agenthealth.local.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documents for contributors name exists. */
class DocumentedNamesTest {

    private static final Path ROOT = ProjectFiles.path("template.yaml").getParent();
    private static final Pattern BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern CLASS =
            Pattern.compile("`(?:\\w+/)*([A-Z][a-z]+(?:[A-Z][a-z0-9]*)+)(?:[.#][a-zA-Z_]+)?`");
    private static final Pattern MEMBER = Pattern.compile("`((?:\\w+/)*[A-Z]\\w+[.#][a-zA-Z_]+)`");
    private static final Pattern PACKAGE = Pattern.compile("`((?:functions|storage|model)(?:/[a-z]+)+)`");

    /** The classes of the examples. */
    private static final Pattern EXAMPLE = Pattern.compile("RestartRule\\w*");

    /** The JDK's class, and operations of DynamoDB and EventBridge. */
    private static final Set<String> OF_OTHERS = Set.of(
            "UnsupportedOperationException",
            "DynamoDbClient",
            "DynamoDbStreamsClient",
            "PutEvents",
            "TransactWriteItems",
            "UpdateItem");

    private static List<String> documents() {
        List<String> documents = new ArrayList<>(List.of("CONTRIBUTING.md", "docs/architecture.md"));
        ProjectFiles.list(ProjectFiles.path("docs/recipes"))
                .forEach(file -> documents.add("docs/recipes/" + file.getFileName()));
        return documents;
    }

    @Test
    void the_documents_name_many_classes() {
        assertThat(documents().stream()
                        .mapToLong(document -> named(document, CLASS).size())
                        .sum())
                .isGreaterThan(100);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_class_that_is_named_exists(String document) throws IOException {
        String definitions = ProjectFiles.text("template.yaml") + ProjectFiles.text("docs/openapi.yaml");
        Set<String> classes = classes().keySet();
        Set<String> unknown = named(document, CLASS);
        unknown.removeIf(name -> classes.contains(name)
                || OF_OTHERS.contains(name)
                || EXAMPLE.matcher(name).matches()
                || definitions.contains(name + ":"));
        assertThat(unknown).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_member_that_is_named_is_in_the_file_of_its_class(String document) throws IOException {
        Map<String, Path> classes = classes();
        for (String named : named(document, MEMBER)) {
            String[] names = named.substring(named.lastIndexOf('/') + 1).split("[.#]");
            if (classes.containsKey(names[0])) {
                assertThat(Files.readString(classes.get(names[0]))).as(named).containsPattern("\\b" + names[1] + "\\b");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_package_that_is_named_exists(String document) {
        assertThat(named(document, PACKAGE)).filteredOn(name -> !exists(name)).isEmpty();
    }

    /** Returns true for a folder of packages. {@code pager} is an example. */
    private static boolean exists(String name) {
        return name.endsWith("/pager")
                || Stream.of("functions/src/main/java/dev/agenthealth/", "shared-model/src/main/java/dev/agenthealth/")
                        .flatMap(root -> Stream.of(root, root + "functions/"))
                        .anyMatch(root -> Files.isDirectory(ROOT.resolve(root + name)));
    }

    private static Set<String> named(String document, Pattern pattern) {
        return pattern.matcher(BLOCK.matcher(ProjectFiles.text(document)).replaceAll(""))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the files of classes by their simple names. */
    private static Map<String, Path> classes() throws IOException {
        Map<String, Path> classes = new TreeMap<>();
        for (String module : ProjectFiles.text("pom.xml").split("<module>")) {
            Path sources = ROOT.resolve(module.replaceAll("(?s)<.*", "")).resolve("src");
            if (Files.isDirectory(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file ->
                                    classes.put(file.getFileName().toString().replace(".java", ""), file));
                }
            }
        }
        return classes;
    }
}
