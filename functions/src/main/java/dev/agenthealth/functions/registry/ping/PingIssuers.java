package dev.agenthealth.functions.registry.ping;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.model.identity.Caller;
import java.util.Optional;

/** Finds the keys that issued tokens of ping addresses: a token ends with its key. Thread-safe. */
final class PingIssuers {

    private final Authenticator authenticator;

    PingIssuers(Authenticator authenticator) {
        this.authenticator = authenticator;
    }

    /**
     * The key that issued a token, as it is now; empty where the token is none, the key is no longer in force, or it is neither the owner's nor an
     * administrator's.
     */
    Optional<Caller> find(PingAddress address, Token token) {
        return Optional.of(token)
                .filter(issued -> !issued.secret().isNone())
                .flatMap(issued -> authenticator.issuer(issued.issuer()))
                .filter(issuer -> issuer.keyId().equals(address.ownerKeyId()) || issuer.isAdministrator());
    }
}
