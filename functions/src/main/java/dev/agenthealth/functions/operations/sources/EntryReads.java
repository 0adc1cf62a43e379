package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.model.gateway.Endpoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Reads the documents that the entries of a source name, for one sync. A host that was too slow several times is not asked again. Thread-safe. */
final class EntryReads {

    static final int MAX_TIMEOUTS = 3;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final DocumentClient documents;
    private final Clock clock;
    private final Instant until;
    private final Map<String, Integer> timeouts = new ConcurrentHashMap<>();

    /** @param until the time by which the last read has ended */
    EntryReads(DocumentClient documents, Clock clock, Instant until) {
        this.documents = documents;
        this.clock = clock;
        this.until = until;
    }

    /** Returns whether no time is left for a read. */
    boolean isOver() {
        return !clock.instant().isBefore(until);
    }

    /**
     * Returns the document at an address.
     *
     * @throws UnreadableSourceException if the address has no readable document
     */
    JsonNode get(String url, int maxBytes) {
        return ofHost(url, timeout -> documents.get(url, maxBytes, timeout));
    }

    /**
     * Returns whether an address has a document.
     *
     * @throws UnreadableSourceException if the answer remains unknown
     */
    boolean exists(String url) {
        return ofHost(url, timeout -> documents.exists(url, timeout));
    }

    private <T> T ofHost(String url, Function<Duration, T> read) {
        String host = Endpoint.of(url).map(Endpoint::authority).orElse("");
        if (timeouts.getOrDefault(host, 0) >= MAX_TIMEOUTS) {
            throw new UnansweredException(host + ": not asked further in this sync, because " + MAX_TIMEOUTS
                    + " answers did not come in time");
        }
        Duration left = Duration.between(clock.instant(), until);
        try {
            return read.apply(left.compareTo(TIMEOUT) < 0 ? left : TIMEOUT);
        } catch (UnansweredException e) {
            timeouts.merge(host, 1, Integer::sum);
            throw e;
        }
    }
}
