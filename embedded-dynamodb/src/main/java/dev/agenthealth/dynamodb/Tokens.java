package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;

/**
 * The tokens of applied transactions, kept for ten minutes; at most the last {@value #MAX_TOKENS}. They are in memory, since all clients
 * end with this process. Only the writer uses this.
 */
final class Tokens {

    static final int MAX_TOKENS = 50_000;

    private static final long MILLIS = Duration.ofMinutes(10).toMillis();

    private final Clock clock;
    private final Map<String, Applied> byToken = new LinkedHashMap<>();

    Tokens(Clock clock) {
        this.clock = clock;
    }

    private record Applied(String content, long millis) {}

    /**
     * Returns true if a transaction with the token was applied.
     *
     * @param content the {@link Fingerprint} of the transaction
     * @throws IdempotentParameterMismatchException if the token belongs to a transaction with other parameters
     */
    boolean isKnown(String token, String content) {
        Applied applied = byToken.get(token);
        if (applied == null || applied.millis() + MILLIS <= clock.millis()) {
            return false;
        }
        if (!applied.content().equals(content)) {
            throw DynamoDbErrors.as(
                            "IdempotentParameterMismatchException",
                            "The request uses the same client token as a previous, but non-identical request",
                            IdempotentParameterMismatchException.builder())
                    .build();
        }
        return true;
    }

    void add(String token, String content) {
        long now = clock.millis();
        Iterator<Applied> oldest = byToken.values().iterator();
        while (oldest.hasNext() && (oldest.next().millis() + MILLIS <= now || byToken.size() >= MAX_TOKENS)) {
            oldest.remove();
        }
        byToken.put(token, new Applied(content, now));
    }

    void remove(String token) {
        byToken.remove(token);
    }
}
