package dev.agenthealth.functions.api.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.identity.Grant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The claims of a token. Immutable. */
record Claims(JsonNode json) {

    private static final int MAX_NAME = 200;

    /** Returns the text of a claim; empty if the claim is absent or no text. */
    String text(String name) {
        JsonNode value = json.path(name);
        return value.isTextual() ? value.textValue() : "";
    }

    /** Returns the texts, numbers and flags of a claim, which is one value or a list; empty if the claim is absent. */
    List<String> values(String path) {
        return path.equals(Grant.EMAIL_DOMAIN)
                ? emailDomain()
                : texts(at(json, path).orElse(json.path("")));
    }

    /** Returns the name for people: the name of the person, else the mail address, else the id. The name has no control characters. */
    String shownName(boolean workload) {
        String name = Stream.of("preferred_username", "email", "name")
                .map(this::text)
                .filter(text -> !workload && !text.isBlank())
                .findFirst()
                .orElse(text("sub"));
        StringBuilder clean = new StringBuilder();
        name.codePoints()
                .filter(c -> !isInvisible(Character.getType(c)))
                .limit(MAX_NAME)
                .forEach(clean::appendCodePoint);
        return clean.toString().strip();
    }

    /** Returns whether a character is a control character or changes the direction of the following text. */
    private static boolean isInvisible(int type) {
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private List<String> emailDomain() {
        String email = text("email");
        int at = email.lastIndexOf('@');
        return at > 0 && json.path("email_verified").asText().equals("true")
                ? List.of(email.substring(at + 1).toLowerCase(Locale.ROOT))
                : List.of();
    }

    /** Returns the value at a path. A claim's own name may have dots, as URLs do. */
    private static Optional<JsonNode> at(JsonNode object, String path) {
        if (object.has(path)) {
            return Optional.of(object.get(path));
        }
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
            JsonNode inner = object.path(path.substring(0, dot));
            Optional<JsonNode> found = inner.isObject() ? at(inner, path.substring(dot + 1)) : Optional.empty();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static List<String> texts(JsonNode value) {
        Stream<JsonNode> all = value.isArray() ? StreamSupport.stream(value.spliterator(), false) : Stream.of(value);
        return all.filter(one -> one.isTextual() || one.isIntegralNumber() || one.isBoolean())
                .map(JsonNode::asText)
                .toList();
    }
}
