package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The limits of a key beyond its role. Immutable.
 *
 * @param expiresAt from when on it is refused; empty for never
 * @param allowedAddresses blocks such as {@code 203.0.113.0/24} from which it is accepted, at most 16; empty for all
 * @param actions {@code heartbeat}, {@code read} and {@code invoke}, as far as it may; empty for all that its role may
 */
public record KeyLimits(Optional<Instant> expiresAt, List<String> allowedAddresses, List<String> actions) {

    /** Of most keys. */
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
