package dev.agenthealth.functions.operations.notification.channel;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A field of a target: a text, or a list of texts.
 *
 * @param name the name in requests
 * @param maxCount the maximum length of a list; 0 for a text
 * @param fault returns the error of a text; empty for a valid text
 * @param kind decides which part administrators see, and when the value is kept
 * @param show puts the visible form of the values into an answer
 * @param otherwise returns the values if the request has none; a credential is generated and shown once
 */
public record TargetField(
        String name,
        int maxCount,
        Function<String, Optional<String>> fault,
        Kind kind,
        BiConsumer<ObjectNode, List<String>> show,
        Supplier<List<String>> otherwise) {

    /** The replacement for hidden text. No URL contains it, so that nobody takes a masked value for a URL. */
    public static final String HIDDEN = "…";

    private static final int MAX_LENGTH = 2_048;

    /** The kind of a field. */
    public enum Kind {
        VISIBLE,
        /** A visible setting for the form of messages. It is not part of the address. */
        OPTION,
        /** A secret part of the address. Administrators see some of it. */
        MASKED,
        /** A secret that is sent to the receiver or signs messages. It is kept only for its own address. */
        CREDENTIAL
    }

    /** Returns a text field that administrators see. */
    public static TargetField visible(String name, Function<String, Optional<String>> fault) {
        return new TargetField(name, 0, fault, Kind.VISIBLE, (json, texts) -> json.put(name, texts.get(0)), List::of);
    }

    /** Returns a text field for the form of messages, with its default. */
    public static TargetField option(String name, String usual, Function<String, Optional<String>> fault) {
        return new TargetField(
                name,
                0,
                fault,
                Kind.OPTION,
                (json, texts) -> json.put(name, texts.isEmpty() ? usual : texts.get(0)),
                () -> List.of(usual));
    }

    /** Returns a text field of which administrators see only the result of {@code mask}. */
    public static TargetField masked(
            String name, Function<String, Optional<String>> fault, UnaryOperator<String> mask) {
        return new TargetField(
                name, 0, fault, Kind.MASKED, (json, texts) -> json.put(name, mask.apply(texts.get(0))), List::of);
    }

    /** Returns the field {@code url} for the address of a hook. Its path or query is the secret, and administrators see its host. */
    public static TargetField hook(HttpSender http) {
        return masked("url", http::fault, text -> {
            URI url = URI.create(text);
            return url.getScheme() + "://" + url.getAuthority() + "/" + HIDDEN;
        });
    }

    /** Returns a text field that is never shown. */
    public static TargetField credential(String name, Function<String, Optional<String>> fault) {
        return new TargetField(name, 0, fault, Kind.CREDENTIAL, (json, texts) -> {}, List::of);
    }

    /** Returns this field with a default value. */
    public TargetField otherwise(String value) {
        return new TargetField(name, maxCount, fault, kind, show, () -> List.of(value));
    }

    boolean isSecret() {
        return kind == Kind.MASKED || kind == Kind.CREDENTIAL;
    }

    boolean isCredential() {
        return kind == Kind.CREDENTIAL;
    }

    /** Returns a check for texts: a pattern, and the message for a text that does not match. */
    public static Function<String, Optional<String>> matching(Pattern pattern, String message) {
        return text -> pattern.matcher(text).matches() ? Optional.empty() : Optional.of(message);
    }

    /** Reads the values of the field, and records an error for each invalid value; empty if the request has none. */
    public List<String> read(Fields target) {
        if (maxCount > 0) {
            return target.texts(name, maxCount, MAX_LENGTH, fault);
        }
        String text = target.text(name, MAX_LENGTH);
        if (text.isEmpty()) {
            return List.of();
        }
        fault.apply(text).ifPresent(message -> target.refuse(name, message));
        return List.of(text);
    }

    /** Puts the values into the JSON of a target. */
    public void put(ObjectNode target, List<String> texts) {
        if (maxCount == 0) {
            texts.forEach(text -> target.put(name, text));
        } else {
            ArrayNode array = target.putArray(name);
            texts.forEach(array::add);
        }
    }
}
