package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** JSON as the project's files have it: two spaces, each element on a line of its own. */
final class PrettyJson {

    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    private PrettyJson() {}

    static String text(JsonNode json) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter()
                .withSeparators(Separators.createDefaultInstance()
                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                        .withArrayEmptySeparator("")
                        .withObjectEmptySeparator(""))
                .withArrayIndenter(INDENTER)
                .withObjectIndenter(INDENTER);
        try {
            return new JsonMapper().writer(printer).writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
