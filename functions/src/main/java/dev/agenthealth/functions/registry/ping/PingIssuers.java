package dev.agenthealth.functions.registry.ping;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.model.identity.Caller;
import java.util.Optional;

/** Finds the keys that issued tokens of ping addresses, because a token ends with its key. Thread-safe. */
final class PingIssuers {

    private final Authenticator authenticator;

    PingIssuers(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /**
     * Returns the current state of the key that issued a token. Empty without a token, if the key is no longer in force, or if it belongs
     * to neither the owner nor an administrator.
     */
    Optional<Caller> find(PingAddress address, Token token) {
        return Optional.of(token)
                .filter(issued -> !issued.secret().isNone())
                .flatMap(issued -> authenticator.issuer(issued.issuer()))
                .filter(issuer -> issuer.keyId().equals(address.ownerKeyId()) || issuer.isAdministrator());
    }
}
