package dev.agenthealth.dynamodb.expression;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** The words that expressions may not use as attribute names: "Reserved words in DynamoDB" in AWS's documentation. */
final class ReservedWords {

    private static final Set<String> WORDS = words();

    private ReservedWords() {}

    static boolean contains(String name) {
        return WORDS.contains(name.toUpperCase(Locale.ROOT));
    }

    private static Set<String> words() {
        try (InputStream text = ReservedWords.class.getResourceAsStream("reserved-words.txt")) {
            return Set.of(new String(text.readAllBytes(), StandardCharsets.US_ASCII).split("\\s+"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
