package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Gets JSON documents from public addresses. Thread-safe. */
final class DocumentClient {

    static final int MAX_CATALOGUE_BYTES = 8 * 1024 * 1024;
    static final int MAX_CARD_BYTES = 256 * 1024;

    private static final int MAX_KEY_SET_BYTES = 64 * 1024;

    private static final Duration KEY_SET_TIMEOUT = Duration.ofSeconds(2);

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final String userAgent;

    DocumentClient(AddressCheck addresses, PinnedHttpClient http, String userAgent) {
        this.addresses = addresses;
        this.http = http;
        this.userAgent = userAgent;
    }

    /** Returns whether a failure means that the document does not exist at the address. */
    private static boolean isAbsent(InvocationFailure failure) {
        return failure == InvocationFailure.CLIENT_ERROR;
    }

    /**
     * Returns whether an address has a document.
     *
     * @throws UnreadableSourceException if the answer remains unknown
     */
    boolean exists(String url, Duration timeout) {
        try {
            bytes(url, MAX_CARD_BYTES, timeout);
            return true;
        } catch (CallFailedException e) {
            if (isAbsent(e.reason())) {
                return false;
            }
            throw unreadable(url, e.reason(), MAX_CARD_BYTES, timeout);
        }
    }

    /**
     * Returns the document at an address; empty if the host says that there is none.
     *
     * @throws UnreadableSourceException if the answer remains unknown, or the document is not readable
     */
    Optional<JsonNode> find(String url, int maxBytes, Duration timeout) {
        try {
            return Optional.of(Json.received(ReceivedText.of(bytes(url, maxBytes, timeout))));
        } catch (CallFailedException e) {
            if (isAbsent(e.reason())) {
                return Optional.empty();
            }
            throw unreadable(url, e.reason(), maxBytes, timeout);
        } catch (UnreadableJsonException e) {
            throw new UnreadableSourceException(url + ": the answer " + e.getMessage());
        }
    }

    /**
     * Returns the document at an address.
     *
     * @throws UnreadableSourceException if the address has no readable document
     */
    JsonNode get(String url, int maxBytes, Duration timeout) {
        return find(url, maxBytes, timeout)
                .orElseThrow(() -> unreadable(url, InvocationFailure.CLIENT_ERROR, maxBytes, timeout));
    }

    /**
     * Returns a small document of a host that answers quickly.
     *
     * @throws CallFailedException if the address has no readable document
     */
    String keySet(Endpoint address) {
        return ReceivedText.of(bytes(address, MAX_KEY_SET_BYTES, KEY_SET_TIMEOUT));
    }

    private byte[] bytes(String url, int maxBytes, Duration timeout) {
        Endpoint endpoint = Endpoint.of(url)
                .orElseThrow(() -> new UnreadableSourceException(url + ": is not an http or https URL"));
        return bytes(endpoint, maxBytes, timeout);
    }

    private byte[] bytes(Endpoint endpoint, int maxBytes, Duration timeout) {
        Map<String, String> headers = Map.of("Accept", "application/json, */*;q=0.5", "User-Agent", userAgent);
        return http.get(addresses.destination(endpoint, timeout), headers, maxBytes, timeout);
    }

    private static UnreadableSourceException unreadable(
            String url, InvocationFailure failure, int maxBytes, Duration timeout) {
        return failure.isTimeout()
                ? new UnansweredException(url + ": no answer within " + Math.max(1, timeout.toSeconds()) + " s")
                : new UnreadableSourceException(url + ": " + text(failure, maxBytes));
    }

    private static String text(InvocationFailure failure, int maxBytes) {
        return switch (failure) {
            case UNKNOWN_HOST -> "unknown host";
            case CONNECTION_REFUSED -> "connection refused";
            case TLS_FAILED -> "no secure connection";
            case CERTIFICATE_EXPIRED -> "certificate expired";
            case CONNECTION_LOST -> "connection lost";
            case REDIRECT -> "redirects, which are not followed";
            case TOO_LARGE -> "larger than " + maxBytes / 1024 + " KB";
            case ENDPOINT_NOT_ALLOWED -> "is not a public https address";
            case CLIENT_ERROR, MESSAGE_REFUSED -> "is not found or not public (HTTP 4xx)";
            case OVERLOADED -> "is asked too often (HTTP 429)";
            case SERVER_ERROR -> "answers with a server error";
            default -> "no HTTP answer";
        };
    }
}
