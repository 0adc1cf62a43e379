package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.ApiDescription.Operation;
import dev.agenthealth.testkit.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** {@code docs/openapi.yaml} describes the routes that the functions declare, completely and with names that clients can be generated from. */
class ApiDescriptionTest {

    private static final Pattern CAMEL_CASE = Pattern.compile("[a-z]+[0-9A-Za-z]*");
    private static final Pattern REFERENCE = Pattern.compile("#/components/[a-z A-Z]+/[A-Za-z0-9-]+");

    private static final Pattern KEYWORD = Pattern.compile("[$]?[a-zA-Z]+|x-[a-z-]+");

    private final ApiDescription description = ApiDescription.ofProject();

    @Test
    void every_route_is_described_and_every_described_route_exists() {
        assertThat(description.routeKeys())
                .as("routes in docs/openapi.yaml")
                .containsExactlyInAnyOrderElementsOf(
                        routes().stream().map(Route::key).toList());
    }

    @Test
    void every_operation_names_the_roles_that_its_route_accepts() {
        for (Route route : routes()) {
            Operation operation = description.operation(route.key());
            assertThat(operation.roles()).as(route.key()).isEqualTo(RouteCallers.roles(route));
            assertThat(security(operation)).as(route.key()).isEqualTo(security(route.access()));
        }
    }

    @Test
    void operations_have_unique_names_a_tag_and_a_summary() {
        Set<String> tags = new HashSet<>();
        description
                .document()
                .path("tags")
                .forEach(tag -> tags.add(tag.path("name").asText()));
        Collection<Operation> operations = description.operations().values();
        assertThat(operations).extracting(Operation::id).doesNotHaveDuplicates().allMatch(id -> CAMEL_CASE
                .matcher(id)
                .matches());
        for (Operation operation : operations) {
            assertThat(operation.json().path("summary").asText())
                    .as(operation.id())
                    .isNotEmpty();
            assertThat(operation.json().path("tags")).as(operation.id()).hasSize(1);
            assertThat(tags).contains(operation.json().path("tags").get(0).asText());
        }
    }

    // A sentence without quotation marks ends at its first comma in a mapping on one line: the rest becomes a name
    // without a value.
    @Test
    void no_sentence_is_cut_at_its_comma() {
        List<String> faults = new ArrayList<>();
        collectNamesWithoutValue("", description.document(), faults);
        assertThat(faults).as("names without a value, or with a space").isEmpty();
    }

    private static void collectNamesWithoutValue(String path, JsonNode node, List<String> faults) {
        node.properties().forEach(entry -> {
            String name = path + "/" + entry.getKey();
            if (entry.getValue().isNull() || entry.getKey().contains(" ")) {
                faults.add(name);
            }
            collectNamesWithoutValue(name, entry.getValue(), faults);
        });
        if (node.isArray()) {
            node.forEach(element -> collectNamesWithoutValue(path + "/[]", element, faults));
        }
    }

    @Test
    void every_path_parameter_is_described() {
        for (Operation operation : description.operations().values()) {
            List<String> described = operation.parameters().stream()
                    .filter(parameter -> parameter.path("in").asText().equals("path"))
                    .map(parameter -> "{" + parameter.path("name").asText() + "}")
                    .toList();
            assertThat(Arrays.stream(operation.pathTemplate().split("/")).filter(part -> part.startsWith("{")))
                    .as(operation.id())
                    .containsExactlyElementsOf(described);
        }
    }

    @Test
    void every_problem_status_has_a_code_and_every_code_a_status() {
        for (Operation operation : description.operations().values()) {
            Set<Integer> ofCodes = new TreeSet<>(Set.of(500, 503));
            for (String code : operation.problemCodes()) {
                Set<Integer> statuses = description.statusesOf(code);
                assertThat(statuses)
                        .as(code + " of " + operation.id())
                        .isNotEmpty()
                        .anyMatch(operation.statuses()::contains);
                ofCodes.addAll(statuses);
            }
            assertThat(operation.statuses().stream()
                            .filter(status -> status >= 400)
                            .filter(status ->
                                    !operation.response(status).path("content").has("application/json")))
                    .as(operation.id())
                    .isSubsetOf(ofCodes);
        }
    }

    @Test
    void the_problem_codes_are_those_of_the_code() {
        Set<String> described = new TreeSet<>();
        description.problemCodes().fieldNames().forEachRemaining(described::add);
        Set<String> used = new TreeSet<>();
        description.operations().values().forEach(operation -> used.addAll(operation.problemCodes()));
        assertThat(described)
                .allMatch(code -> used.contains(code)
                        || description.problemCodes().path(code).path("shared").asBoolean());
        assertThat(described)
                .containsAll(Arrays.stream(InvocationFailure.values())
                        .map(InvocationFailure::error)
                        .toList());
        String sources = sources();
        assertThat(described).allMatch(code -> sources.contains("\"" + code + "\""));
    }

    @Test
    void every_reference_leads_somewhere_and_every_component_is_referred_to() {
        String text = ProjectFiles.text(ApiDescription.FILE);
        Set<String> references = new TreeSet<>();
        REFERENCE.matcher(text).results().forEach(match -> references.add(match.group()));
        Set<String> components = new TreeSet<>();
        for (String kind : List.of("schemas", "parameters", "headers", "responses")) {
            description
                    .document()
                    .path("components")
                    .path(kind)
                    .fieldNames()
                    .forEachRemaining(name -> components.add("#/components/" + kind + "/" + name));
        }
        assertThat(references).isEqualTo(components);
    }

    @Test
    void generators_of_clients_read_every_schema() {
        List<String> faults = new ArrayList<>();
        description
                .document()
                .path("components")
                .path("schemas")
                .properties()
                .forEach(schema -> collectFaults(schema.getKey(), schema.getValue(), faults));
        assertThat(faults).isEmpty();
    }

    /** A comma in a text without quotes begins a keyword; the rest is what some generator makes a wrong client of. */
    private void collectFaults(String name, JsonNode schema, List<String> faults) {
        schema.fieldNames().forEachRemaining(keyword -> {
            if (!KEYWORD.matcher(keyword).matches()) {
                faults.add(name + " has the keyword '" + keyword + "'");
            }
        });
        if (schema.has("default")) {
            faults.add(name + " has a default, which a generated client sends although a role may declare another");
        }
        if (schema.path("type").asText().equals("boolean") && (schema.has("enum") || schema.has("const"))) {
            faults.add(name + " is a boolean of one value");
        }
        long types = schema.path("type").isArray()
                ? StreamSupport.stream(schema.path("type").spliterator(), false)
                        .filter(type -> !type.asText().equals("null"))
                        .count()
                : 1;
        if (types != 1) {
            faults.add(name + " has several types");
        }
        schema.path("required").forEach(required -> {
            JsonNode field = schema.path("properties").path(required.asText());
            if (field.has("$ref") && description.resolved(field).path("type").isArray()) {
                faults.add(name + "." + required.asText() + " is required and refers to a schema with null");
            }
        });
        schema.path("properties")
                .properties()
                .forEach(field -> collectFaults(name + "." + field.getKey(), field.getValue(), faults));
        for (String part : List.of("items", "additionalProperties")) {
            if (schema.path(part).isObject()) {
                collectFaults(name + "." + part, schema.path(part), faults);
            }
        }
    }

    @Test
    void a_name_stands_for_one_component() {
        List<String> names = new ArrayList<>();
        for (String kind : List.of("schemas", "parameters", "responses")) {
            description.document().path("components").path(kind).fieldNames().forEachRemaining(names::add);
        }
        assertThat(names).doesNotHaveDuplicates();
    }

    @Test
    void every_field_has_a_type_a_bound_where_it_is_a_number_and_a_valid_example() {
        description.document().path("components").path("schemas").properties().forEach(schema -> schema.getValue()
                .path("properties")
                .properties()
                .forEach(field -> checkField(schema.getKey() + "." + field.getKey(), field.getValue())));
    }

    @Test
    void the_examples_of_requests_and_parameters_are_valid() {
        for (Operation operation : description.operations().values()) {
            JsonNode example = operation.example();
            if (!example.isMissingNode()) {
                JsonNode schema = operation.json().at("/requestBody/content/application~1json/schema");
                assertThat(ApiContract.faults(schema, example))
                        .as(operation.id())
                        .isEmpty();
            }
            for (JsonNode parameter : operation.parameters()) {
                if (parameter.has("example")) {
                    assertThat(ApiContract.faults(parameter.path("schema"), parameter.path("example")))
                            .as(parameter.path("name").asText())
                            .isEmpty();
                }
            }
        }
    }

    private static void checkField(String name, JsonNode field) {
        if (field.has("$ref")
                || field.has("anyOf")
                || field.path("items").has("$ref")
                || field.path("additionalProperties").has("$ref")) {
            return;
        }
        Set<String> types = new LinkedHashSet<>();
        if (field.path("type").isArray()) {
            field.path("type").forEach(type -> types.add(type.asText()));
        } else {
            types.add(field.path("type").asText());
        }
        if (types.contains("integer") || types.contains("number")) {
            assertThat(field.has("minimum") || field.has("exclusiveMinimum"))
                    .as(name + " has a minimum")
                    .isTrue();
            assertThat(field.has("format")).as(name + " has a format").isTrue();
        }
        if (name.endsWith("_ms") || name.endsWith("_seconds")) {
            assertThat(field.path("description").asText().toLowerCase(Locale.ROOT))
                    .as(name + " has its unit")
                    .containsAnyOf("second", "millisecond");
        }
        assertThat(field.path("examples").size()).as(name + " has an example").isPositive();
        for (JsonNode example : field.path("examples")) {
            assertThat(ApiContract.faults(field, example)).as(name).isEmpty();
        }
    }

    private static Collection<Route> routes() {
        try (TestSystem system = new TestSystem()) {
            return system.api().routes();
        }
    }

    /** The roles of the keys that a route does not refuse by its declaration. */
    private static String security(Operation operation) {
        return operation.isPublic() ? operation.json().path("security").toString() : "the default";
    }

    private static String security(Access access) {
        return switch (access) {
            case PUBLIC -> "[]";
            case OPTIONAL_KEY -> "[{},{\"ApiKey\":[]}]";
            default -> "the default";
        };
    }

    private static String sources() {
        StringBuilder text = new StringBuilder();
        for (String folder :
                List.of("functions/src/main/java", "shared-model/src/main/java", "emulator/src/main/java")) {
            try (Stream<Path> files = Files.walk(ProjectFiles.path(folder))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file -> text.append(ProjectFiles.text(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return text.toString();
    }
}
