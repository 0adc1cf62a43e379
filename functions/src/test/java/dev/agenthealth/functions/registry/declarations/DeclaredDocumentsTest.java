package dev.agenthealth.functions.registry.declarations;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.declaration.DeclarationDifference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which changes of a document are changes of what it declares. */
class DeclaredDocumentsTest {

    private static final String CARD =
            """
            {"name": "n", "description": "d", "version": "1", "url": "https://a.example/", "preferredTransport": "JSONRPC",
             "additionalInterfaces": [{"url": "https://a.example/grpc", "transport": "GRPC"}],
             "skills": [{"id": "s", "name": "S", "description": "D", "tags": ["x", "y"], "examples": ["e"]}],
             "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}, "security": [{"bearer": []}], "signatures": []}
            """;

    private static final String TOOL =
            """
            {"name": "t", "description": "D", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}},
             "annotations": {"readOnlyHint": true}, "_meta": {"k": 1}}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"version\": \"1\" | \"version\": \"2\" | ''",
                "\"description\": \"d\" | \"description\": \"e\" | ''",
                "\"signatures\": [] | \"signatures\": [{\"protected\": \"p\"}] | ''",
                "[\"x\", \"y\"] | [\"y\", \"x\"] | ''",
                "\"examples\": [\"e\"] | \"examples\": [] | ''",
                "\"type\": \"http\", \"scheme\": \"bearer\" | \"scheme\": \"bearer\", \"type\": \"http\" | ''",
                "\"name\": \"n\" | \"name\": \"o\" | name",
                "\"url\": \"https://a.example/\" | \"url\": \"https://b.example/\" | endpoint",
                "\"transport\": \"GRPC\" | \"transport\": \"HTTP+JSON\" | endpoint",
                "\"description\": \"D\" | \"description\": \"E\" | skill:s",
                "[\"x\", \"y\"] | [\"x\", \"z\"] | skill:s",
                "\"scheme\": \"bearer\" | \"scheme\": \"basic\" | security:bearer",
                "[{\"bearer\": []}] | [{\"bearer\": [\"all\"]}] | security",
            })
    void a_change_of_a_card_alters_what_clients_rely_on(String part, String other, String altered) {
        assertThat(CARD).contains(part);
        assertThat(DeclarationDifference.between(
                        DeclaredDocuments.ofCard(Json.stored(CARD)),
                        DeclaredDocuments.ofCard(Json.stored(CARD.replace(part, other)))))
                .isEqualTo(new DeclarationDifference(
                        List.of(), List.of(), altered.isEmpty() ? List.of() : List.of(altered)));
    }

    @Test
    void the_interfaces_of_both_versions_of_a2a_are_one_endpoint() {
        ObjectNode card = (ObjectNode) Json.stored(CARD);
        JsonNode both = Json.stored(
                """
                [{"url": "https://a.example/grpc", "protocolBinding": "GRPC", "protocolVersion": "1.0"},
                 {"url": "https://a.example/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]
                """);
        JsonNode newer = card.deepCopy()
                .<ObjectNode>without(List.of("url", "additionalInterfaces", "preferredTransport"))
                .set("supportedInterfaces", both);
        assertThat(DeclaredDocuments.ofCard(newer)).isEqualTo(DeclaredDocuments.ofCard(card));
        assertThat(DeclaredDocuments.ofCard(card.set("supportedInterfaces", both)))
                .isEqualTo(DeclaredDocuments.ofCard(newer));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"_meta\": {\"k\": 1} | \"_meta\": {\"k\": 2} | false",
                "{\"a\": {\"type\": \"string\"}, \"b\": {}} | {\"b\": {}, \"a\": {\"type\": \"string\"}} | false",
                "\"description\": \"D\" | \"description\": \"D\", \"outputSchema\": null | false",
                "\"description\": \"D\" | \"description\": \"E\" | true",
                "\"description\": \"D\" | \"description\": \"\\ud83d\" | true",
                "\"description\": \"D\" | \"description\": \"D\", \"outputSchema\": {} | true",
                "\"type\": \"string\" | \"type\": \"string\", \"maximum\": 1e999 | true",
                "\"readOnlyHint\": true | \"readOnlyHint\": false | true",
            })
    void a_change_of_a_tool_alters_what_clients_rely_on(String part, String other, boolean altered) {
        assertThat(TOOL).contains(part);
        DeclarationDifference difference = DeclarationDifference.between(
                DeclaredDocuments.ofTools(List.of(Json.stored(TOOL))),
                DeclaredDocuments.ofTools(List.of(Json.stored(TOOL.replace(part, other)))));
        assertThat(difference.altered()).isEqualTo(altered ? List.of("tool:t") : List.of());
    }
}
