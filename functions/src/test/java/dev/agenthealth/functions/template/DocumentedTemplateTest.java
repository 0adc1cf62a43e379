package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.TemplateText.at;
import static dev.agenthealth.functions.template.TemplateText.list;
import static dev.agenthealth.functions.template.TemplateText.map;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.Route;
import dev.agenthealth.testkit.ProjectFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The documents for operators and the page about costs name what the template has, with the same numbers. */
@Tag("SYS-03")
class DocumentedTemplateTest {

    private static final Pattern NAME = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][a-z0-9]*)+)`");
    private static final Pattern PARAMETER = Pattern.compile("(?m)^  (\\w+):");
    private static final Pattern GIVEN = Pattern.compile("(?<![\\w$-])([A-Z][a-z]\\w+)=");
    private static final Pattern ROUTE = Pattern.compile("`(GET|POST|PUT|PATCH|DELETE) (/[^` ]+)`");
    private static final Pattern LINK = Pattern.compile("]\\(((?!https?:)[^)#]*)(?:#([^)]+))?\\)");
    private static final Pattern URL = Pattern.compile("\\$(?:URL|ApiUrl|API|EDGE)(/[a-z0-9./{}_$A-Z-]+)");

    private final TemplateText text = new TemplateText();
    private final Map<String, String> documents = documents();

    @Test
    void every_parameter_is_in_the_table_of_parameters_and_that_names_no_other() {
        Set<String> named = new TreeSet<>();
        Documents.section("docs/operations/deploying.md", "## Deploy")
                .lines()
                .filter(line -> line.startsWith("|") && line.split("\\|").length > 3)
                .forEach(line -> names(line.split("\\|")[2]).forEach(named::add));
        assertThat(named).isEqualTo(new TreeSet<>(text.parameters().keySet()));
    }

    @Test
    void every_parameter_that_a_command_sets_exists() {
        Set<String> beside = new TreeSet<>();
        for (String template : List.of(
                "docs/operations/edge.yaml",
                "deploy/ecs.yaml",
                "deploy/backup.yaml",
                "deploy/company.yaml",
                "deploy/cells.yaml",
                "deploy/cell-owner.yaml")) {
            String parameters =
                    ProjectFiles.text(template).split("\nParameters:\n")[1].split("\n(?=[A-Z])")[0];
            PARAMETER.matcher(parameters).results().forEach(match -> beside.add(match.group(1)));
        }
        for (String change : List.of("docs/restored-template.sed", "docs/vpc-template.sed")) {
            PARAMETER.matcher(ProjectFiles.text(change)).results().forEach(match -> beside.add(match.group(1)));
        }
        documents.forEach((document, content) -> {
            for (String line : content.split("\n")) {
                if (line.contains("sam deploy") || line.contains("--parameter-overrides")) {
                    GIVEN.matcher(line)
                            .results()
                            .map(match -> match.group(1))
                            .filter(name -> !beside.contains(name))
                            .forEach(name -> assertThat(text.parameters())
                                    .as(document + ": " + line)
                                    .containsKey(name));
                }
            }
        });
    }

    @Test
    void every_route_that_is_named_exists() {
        Set<String> routes = text.stack().functions().stream()
                .flatMap(function -> function.routes().stream())
                .map(Route::routeKey)
                .collect(Collectors.toSet());
        documents.forEach((document, content) -> {
            for (MatchResult match : ROUTE.matcher(content).results().toList()) {
                assertThat(routes).as(document).contains(match.group(1) + " " + match.group(2));
            }
            for (MatchResult match : URL.matcher(content).results().toList()) {
                String path = match.group(1).replaceAll("[.]$", "");
                if (path.equals("/ping")) {
                    continue; // API Gateway's own, which the page of untried claims shows.
                }
                assertThat(routes)
                        .as(document + ": " + match.group())
                        .anyMatch(route -> !route.startsWith("ANY ")
                                && path.matches(route.split(" ")[1].replaceAll("\\{\\w+}", "[^/]+")));
            }
        });
    }

    @Test
    void the_guide_says_by_how_much_a_timestamp_is_before_its_place_in_the_feed() {
        long longest = text.stack().functions().stream()
                .filter(function ->
                        Set.of("SweepFunction", "MeasurementFunction").contains(function.logicalId()))
                .mapToLong(function -> function.timeout().toSeconds())
                .max()
                .orElseThrow();
        assertThat(ProjectFiles.text("docs/api.md"))
                .contains("up to " + longest + " seconds for changes that a sweep or a measurement detects");
    }

    @Test
    void the_table_of_throttles_has_the_numbers_of_the_template() {
        Map<String, Object> api = text.properties("AWS::Serverless::HttpApi").get("HttpApi");
        Map<String, String> expected = new TreeMap<>();
        map(api, "RouteSettings")
                .forEach((route, limits) -> expected.put(route, sizes(at(limits, "ThrottlingRateLimit"))));
        expected.put("each other route", sizes(at(api, "DefaultRouteSettings", "ThrottlingRateLimit")));
        expected.put(
                "reads and writes of a table on demand",
                sizes(at(
                        text.properties("AWS::DynamoDB::Table").get("RegistryTable"),
                        "OnDemandThroughput",
                        "MaxWriteRequestUnits")));
        Map<String, String> documented = new TreeMap<>();
        Documents.section("docs/operations/edge.md", "## Throttles and ceilings")
                .lines()
                .filter(line -> line.startsWith("| ") && line.matches(".*\\d.*"))
                .map(line -> line.split(" \\| ?"))
                .forEach(cells -> documented.put(
                        cells[0].replaceAll("^\\| `?|`| \\(.*", "").trim(), cells[1] + " " + cells[2]));
        assertThat(documented).isEqualTo(expected);
    }

    @Test
    void names_in_the_documents_are_of_the_template_the_metrics_or_aws() {
        Set<String> known = new TreeSet<>(text.parameters().keySet());
        known.addAll(text.outputs().keySet());
        known.addAll(text.resources().keySet());
        documents.forEach((document, content) -> names(content)
                .filter(name -> name.endsWith("Function") || name.endsWith("Letters") || name.endsWith("Table"))
                .forEach(name -> assertThat(known).as(document).contains(name)));
    }

    @Test
    void every_link_of_the_pages_for_operators_leads_to_a_section() {
        Path folder = ProjectFiles.path("docs/operations");
        documents.forEach((document, content) -> {
            Path from = document.contains("/") || document.equals("README.md")
                    ? ProjectFiles.path(document)
                    : folder.resolve(document);
            for (MatchResult match : LINK.matcher(content).results().toList()) {
                Path to = match.group(1).isEmpty()
                        ? from
                        : from.resolveSibling(match.group(1)).normalize();
                assertThat(to).as(document + ": " + match.group()).exists();
                if (match.group(2) != null) {
                    assertThat(ProjectFiles.text(to)
                                    .lines()
                                    .filter(line -> line.startsWith("#"))
                                    .map(line -> line.replaceFirst("^#+ ", "")
                                            .toLowerCase(Locale.ROOT)
                                            .replaceAll("[^a-z0-9 -]", "")
                                            .replace(' ', '-')))
                            .as(document + ": " + match.group())
                            .contains(match.group(2));
                }
            }
        });
    }

    private static Stream<String> names(String content) {
        return NAME.matcher(content).results().map(match -> match.group(1));
    }

    /** "4,000 40,000": for a small and for a large fleet. */
    private static String sizes(Object choice) {
        Function<Object, String> number = value -> String.format(Locale.ROOT, "%,d", (Long) value);
        var sizes = list(at(choice, "Fn::If"));
        assertThat(sizes.get(0)).isEqualTo("IsLarge");
        return number.apply(sizes.get(2)) + " " + number.apply(sizes.get(1));
    }

    private static Map<String, String> documents() {
        Map<String, String> documents = new LinkedHashMap<>();
        for (String name : new String[] {"docs/operations.md", "docs/cost.md", "README.md"}) {
            documents.put(name, ProjectFiles.text(name));
        }
        for (Path file : ProjectFiles.list(ProjectFiles.path("docs/operations"))) {
            if (file.toString().endsWith(".md")) {
                documents.put(file.getFileName().toString(), ProjectFiles.text(file));
            }
        }
        return documents;
    }
}
