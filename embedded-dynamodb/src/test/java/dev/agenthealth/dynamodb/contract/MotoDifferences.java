package dev.agenthealth.dynamodb.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The cases in which moto does not do as DynamoDB: it accepts many requests that DynamoDB refuses, and charges nothing as DynamoDB does. The
 * file lists them, a line each, below a line that begins with {@code #} and says why.
 */
final class MotoDifferences {

    private static final Map<String, String> REASONS = read();

    private MotoDifferences() {}

    static Optional<String> reason(String test) {
        return Optional.ofNullable(REASONS.get(test));
    }

    private static Map<String, String> read() {
        try (InputStream in = MotoDifferences.class.getResourceAsStream("moto-differences.txt")) {
            Map<String, String> reasons = new HashMap<>();
            String reason = "";
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith("#")) {
                    reason = line.substring(1).strip();
                } else if (!line.isBlank()) {
                    reasons.put(line.strip(), reason);
                }
            }
            return reasons;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
