package dev.agenthealth.functions.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.EventSchemas;
import dev.agenthealth.testkit.GeneratedText;
import dev.agenthealth.testkit.ProjectFiles;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Subscribers that were written for the last release go on reading events. The schemas of the last release stand frozen in the test resources;
 * {@code mvn verify -Dwrite=release} freezes those of today, which only a release does.
 */
@Tag(GeneratedText.TAG)
@Tag("SYS-05")
class SchemaCompatibilityTest {

    private static final String RELEASED = "functions/src/test/resources/schemas/released";

    private static final String SCHEMA =
            """
            {"$id":"urn:agent-health:event:a:1","title":"A","type":"object","required":["always","word"],"properties":{
              "always":{"type":"integer","minimum":1,"maximum":9,"description":"Once."},
              "sometimes":{"type":"string","pattern":"^a","minLength":2,"maxLength":5},
              "word":{"type":"string","enum":["one","two"]},
              "open":{"type":"string","x-known-values":["one"]},
              "list":{"type":"array","items":{"type":"string"}},
              "nested":{"type":"object","required":["deep"],"properties":{"deep":{"type":"number"}}}}}
            """;

    @Test
    void every_schema_of_the_last_release_has_a_compatible_successor() {
        assertThat(ProjectFiles.path(RELEASED)).isNotEmptyDirectory();
        for (Path folder : ProjectFiles.list(ProjectFiles.path(RELEASED))) {
            for (Path file : ProjectFiles.list(folder)) {
                String name = folder.getFileName() + "/" + file.getFileName();
                JsonNode released = Json.stored(ProjectFiles.text(file));
                JsonNode current = Json.stored(ProjectFiles.text(EventSchemas.FOLDER + "/" + name));
                assertThat(SchemaComparison.breaks(released, current)).as(name).isEmpty();
            }
        }
    }

    @Test
    void a_release_freezes_the_schemas_of_its_day() {
        Path docs = ProjectFiles.path(EventSchemas.FOLDER);
        if (GeneratedText.isReleased()) {
            for (Path folder : ProjectFiles.list(docs)) {
                for (Path file : ProjectFiles.list(folder)) {
                    ProjectFiles.write(
                            ProjectFiles.path(RELEASED).resolve(docs.relativize(file)), ProjectFiles.text(file));
                }
            }
            every_schema_of_the_last_release_has_a_compatible_successor();
            assertThat(ProjectFiles.list(docs)).hasSameSizeAs(ProjectFiles.list(ProjectFiles.path(RELEASED)));
        }
    }

    @Test
    void a_schema_is_compatible_with_itself() {
        assertThat(SchemaComparison.breaks(Json.stored(SCHEMA), Json.stored(SCHEMA)))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void a_compatible_change_is_accepted(String change, String from, String to) {
        assertThat(breaks(from, to)).isEmpty();
    }

    static Stream<Arguments> a_compatible_change_is_accepted() {
        return Stream.of(
                arguments("a field more", "\"properties\":{\n", "\"properties\":{\"new\":{\"type\":\"string\"},\n"),
                arguments("a promise more", "\"required\":[\"always\"", "\"required\":[\"sometimes\",\"always\""),
                arguments("a higher minimum", "\"minimum\":1", "\"minimum\":2"),
                arguments("a lower maximum", "\"maximum\":9", "\"maximum\":8"),
                arguments("a longer minimum", "\"minLength\":2", "\"minLength\":3"),
                arguments("a shorter maximum", "\"maxLength\":5", "\"maxLength\":4"),
                arguments("a word less", "\"enum\":[\"one\",\"two\"]", "\"enum\":[\"two\"]"),
                arguments("a word more where words may come", "values\":[\"one\"]", "values\":[\"one\",\"two\"]"),
                arguments("an open list that is closed", "\"x-known-values\":[\"one\"]", "\"enum\":[\"one\"]"),
                arguments("another description", "Once.", "Twice."));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void an_incompatible_change_is_found(String found, String from, String to) {
        assertThat(breaks(from, to)).anySatisfy(fault -> assertThat(fault).contains(found));
    }

    static Stream<Arguments> an_incompatible_change_is_found() {
        return Stream.of(
                arguments("detail.sometimes: is gone", "\"sometimes\"", "\"renamed\""),
                arguments("detail.nested.deep: is gone", "{\"deep\"", "{\"deeper\""),
                arguments("detail.always: is no longer always there", "[\"always\",", "["),
                arguments("detail.nested.deep: is no longer always there", "[\"deep\"]", "[]"),
                arguments("detail.always: type was", "\"integer\"", "\"number\""),
                arguments("detail.nested.deep: type was", "{\"type\":\"number\"}", "{\"type\":\"string\"}"),
                arguments(
                        "detail.list[]: type was",
                        "\"items\":{\"type\":\"string\"}",
                        "\"items\":{\"type\":\"number\"}"),
                arguments("detail.list: items are described", ",\"items\":{\"type\":\"string\"}", ""),
                arguments("detail.word: may now be three", "[\"one\",\"two\"]", "[\"one\",\"two\",\"three\"]"),
                arguments("detail.word: its words are no longer a closed list", ",\"enum\":[\"one\",\"two\"]", ""),
                arguments(
                        "detail.word: its words are no longer a closed list",
                        "\"enum\":[\"one\",\"two\"]",
                        "\"x-known-values\":[\"one\",\"two\"]"),
                arguments("detail.open: its words are no longer named", ",\"x-known-values\":[\"one\"]", ""),
                arguments("detail.always: minimum was", "\"minimum\":1", "\"minimum\":0"),
                arguments("detail.always: minimum was", "\"minimum\":1,", ""),
                arguments("detail.always: maximum was", "\"maximum\":9", "\"maximum\":10"),
                arguments("detail.sometimes: minLength was", "\"minLength\":2", "\"minLength\":1"),
                arguments("detail.sometimes: maxLength was", "\"maxLength\":5", "\"maxLength\":6"),
                arguments("detail.sometimes: pattern was", "\"^a\"", "\"^b\""),
                arguments("detail.sometimes: pattern was", "\"pattern\":\"^a\",", ""),
                arguments("detail: title was", "\"title\":\"A\"", "\"title\":\"B\""),
                arguments("detail: $id was", "event:a:1", "event:a:2"),
                arguments("detail: additionalProperties was", "\"title\"", "\"additionalProperties\":false,\"title\""),
                arguments("detail: oneOf was", "\"title\"", "\"oneOf\":[{\"required\":[\"sometimes\"]}],\"title\""),
                arguments("detail: dependentRequired was", "\"title\"", "\"dependentRequired\":{},\"title\""));
    }

    private static Iterable<String> breaks(String from, String to) {
        assertThat(SCHEMA).contains(from);
        return SchemaComparison.breaks(Json.stored(SCHEMA), Json.stored(SCHEMA.replace(from, to)));
    }
}
