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
import java.util.stream.Stream;

/**
 * A field of a target: a text, or a list of texts.
 *
 * @param name in requests
 * @param maxCount the maximum length of a list; 0 for a text
 * @param fault returns what is wrong with a text; empty if nothing is
 * @param kind what administrators see of it, and when it is kept
 * @param show puts what administrators see of the values into an answer
 * @param otherwise returns the values if none were given; a credential is generated then, and shown once
 */
public record TargetField(
        String name,
        int maxCount,
        Function<String, Optional<String>> fault,
        Kind kind,
        BiConsumer<ObjectNode, List<String>> show,
        Supplier<List<String>> otherwise) {

    /** Stands for what is not shown. No URL contains it, so that what is shown is not taken for one. */
    public static final String HIDDEN = "…";

    private static final int MAX_LENGTH = 2_048;

    /** The kinds of fields. */
    public enum Kind {
        VISIBLE,
        /** Visible, and says what messages look like: no part of the address. */
        OPTION,
        /** A part of the address that is secret: administrators see some of it. */
        MASKED,
        /** Sent to the receiver, or used to sign: it is kept only for the address that it was given for. */
        CREDENTIAL
    }

    /** Returns a text that administrators see. */
    public static TargetField visible(String name, Function<String, Optional<String>> fault) {
        return new TargetField(name, 0, fault, Kind.VISIBLE, (json, texts) -> json.put(name, texts.get(0)), List::of);
    }

    /** Returns a text that says what messages look like, and what it is if none is given. */
    public static TargetField option(String name, String usual, Function<String, Optional<String>> fault) {
        return new TargetField(
                name,
                0,
                fault,
                Kind.OPTION,
                (json, texts) -> json.put(name, texts.isEmpty() ? usual : texts.get(0)),
                () -> List.of(usual));
    }

    /** Returns a text of which administrators see what {@code mask} returns. */
    public static TargetField masked(
            String name, Function<String, Optional<String>> fault, UnaryOperator<String> mask) {
        return new TargetField(
                name, 0, fault, Kind.MASKED, (json, texts) -> json.put(name, mask.apply(texts.get(0))), List::of);
    }

    /** Returns the address of a hook, {@code url}, whose path or query is the secret: administrators see its host. */
    public static TargetField hook(HttpSender http) {
        return masked("url", http::fault, text -> {
            URI url = URI.create(text);
            return url.getScheme() + "://" + url.getAuthority() + "/" + HIDDEN;
        });
    }

    /** Returns a text that is not shown. */
    public static TargetField credential(String name, Function<String, Optional<String>> fault) {
        return new TargetField(name, 0, fault, Kind.CREDENTIAL, (json, texts) -> {}, List::of);
    }

    /** Returns the field with a value that it has if none is given. */
    public TargetField otherwise(String value) {
        return new TargetField(name, maxCount, fault, kind, show, () -> List.of(value));
    }

    boolean isSecret() {
        return kind == Kind.MASKED || kind == Kind.CREDENTIAL;
    }

    boolean isCredential() {
        return kind == Kind.CREDENTIAL;
    }

    /** Returns a rule for texts: a pattern, and what to say of a text that it does not match. */
    public static Function<String, Optional<String>> matching(Pattern pattern, String message) {
        return text -> pattern.matcher(text).matches() ? Optional.empty() : Optional.of(message);
    }

    /** Reads the values of the field and records an error for each that is wrong; empty if none are given. */
    public List<String> read(Fields target) {
        List<String> texts = maxCount > 0
                ? target.texts(name, maxCount, MAX_LENGTH)
                : Stream.of(target.text(name, MAX_LENGTH))
                        .filter(text -> !text.isEmpty())
                        .toList();
        for (int i = 0; i < texts.size(); i++) {
            String field = maxCount > 0 ? name + "[" + i + "]" : name;
            fault.apply(texts.get(i)).ifPresent(message -> target.refuse(field, message));
        }
        return texts;
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
