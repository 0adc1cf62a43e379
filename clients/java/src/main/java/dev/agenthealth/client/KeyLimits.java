package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The limits of a key beyond its role. Immutable.
 *
 * @param expiresAt the time from which the key is refused; empty for never
 * @param allowedAddresses at most 16 blocks of accepted addresses, such as {@code 203.0.113.0/24}; empty for all
 * @param actions the permitted actions out of {@code heartbeat}, {@code read} and {@code invoke}; empty for all actions of its role
 */
public record KeyLimits(Optional<Instant> expiresAt, List<String> allowedAddresses, List<String> actions) {

    /** The limits of most keys. */
    public static final KeyLimits NONE = new KeyLimits(Optional.empty(), List.of(), List.of());

    public KeyLimits {
        allowedAddresses = List.copyOf(allowedAddresses);
        actions = List.copyOf(actions);
    }

    void putInto(ObjectNode body) {
        expiresAt.ifPresent(end -> body.put("expires_at", end.toString()));
        if (!allowedAddresses.isEmpty()) {
            body.set("allowed_addresses", Json.of(allowedAddresses));
        }
        if (!actions.isEmpty()) {
            body.set("actions", Json.of(actions));
        }
    }
}
