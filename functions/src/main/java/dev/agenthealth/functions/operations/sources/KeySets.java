package dev.agenthealth.functions.operations.sources;

import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the public keys that hosts serve for their cards, for one sync. Cards may name many addresses of one host, so each host has a limit. A host
 * that failed is not asked again. Thread-safe.
 */
final class KeySets {

    static final int MAX_OF_HOST = 20;

    private final DocumentClient documents;
    private final Clock clock;
    private final Instant until;
    private final Map<String, Integer> readOfHost = new ConcurrentHashMap<>();

    /** @param until the time after which nothing is read */
    KeySets(DocumentClient documents, Clock clock, Instant until) {
        this.documents = documents;
        this.clock = clock;
        this.until = until;
    }

    /** Returns the key set at an address; empty if there is no key set, or its host is not asked any more. */
    Optional<String> read(Endpoint address) {
        if (clock.instant().isAfter(until) || readOfHost.merge(address.authority(), 1, Integer::sum) > MAX_OF_HOST) {
            return Optional.empty();
        }
        try {
            return Optional.of(documents.keySet(address));
        } catch (CallFailedException e) {
            if (e.reason() != InvocationFailure.CLIENT_ERROR) {
                readOfHost.put(address.authority(), MAX_OF_HOST);
            }
            return Optional.empty();
        }
    }
}
