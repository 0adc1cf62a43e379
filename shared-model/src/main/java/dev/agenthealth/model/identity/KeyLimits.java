package dev.agenthealth.model.identity;

import dev.agenthealth.model.address.AddressBlock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The limits of an API key besides its role.
 *
 * @param expiresAt the moment from which the key is refused; empty for never
 * @param addresses the address blocks from which the key is accepted; empty for all
 * @param actions the permitted actions; empty for all actions of its role
 */
public record KeyLimits(Optional<Instant> expiresAt, List<AddressBlock> addresses, Set<KeyAction> actions) {

    /** The limits of a key without any. */
    public static final KeyLimits NONE = new KeyLimits(Optional.empty(), List.of(), Set.of());

    /** The time before the end of a key at which its event is published. */
    public static final Duration WARNED_AHEAD = Duration.ofDays(7);

    public KeyLimits {
        addresses = List.copyOf(addresses);
        actions = Set.copyOf(actions);
    }

    /** Returns whether there is no limit. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** Returns whether the key is refused at this moment. */
    public boolean hasEnded(Instant now) {
        return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
    }

    /** Returns whether the key is accepted from an address. An unreadable address is in no block. */
    public boolean allows(String address) {
        return addresses.isEmpty() || addresses.stream().anyMatch(block -> block.contains(address));
    }

    /** Returns whether the key permits an action. */
    public boolean allows(KeyAction action) {
        return actions.isEmpty() || actions.contains(action);
    }
}
