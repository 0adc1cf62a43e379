package dev.agenthealth.functions.api.identity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.Destination;
import dev.agenthealth.functions.runtime.outbound.HttpAnswer;
import dev.agenthealth.functions.runtime.outbound.HttpQuestion;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.ReceivedText;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

/** Calls identity providers at public addresses, without redirects. Thread-safe. */
public final class ProviderClient {

    /** The maximum time for all calls of one request. */
    static final Duration TIMEOUT = Duration.ofSeconds(3);

    private static final int MAX_BYTES = 256 * 1024;

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final Clock clock;

    public ProviderClient(Wiring wiring) {
        this.addresses = AddressCheck.of(wiring, NameResolver.system());
        this.http = new PinnedHttpClient(SecureSockets.usualWhenUsed());
        this.clock = wiring.clock();
    }

    /** Returns the time by which a call that begins now has to end. */
    Instant deadline() {
        return clock.instant().plus(TIMEOUT);
    }

    /**
     * Returns the JSON document at an address.
     *
     * @throws CallFailedException if no document arrives in time
     */
    JsonNode get(String url, Instant deadline) {
        Destination to = destination(url, deadline);
        byte[] body = http.get(to, Map.of("Accept", "application/json"), MAX_BYTES, left(deadline));
        try {
            return Json.received(ReceivedText.of(body));
        } catch (UnreadableJsonException e) {
            throw new CallFailedException(InvocationFailure.MALFORMED);
        }
    }

    /**
     * Returns the answer to a form, with the members that the provider sent, whether or not it refuses.
     *
     * @throws ApiError 503 if no answer arrives in time, or the provider fails or is busy
     */
    public JsonNode post(String url, Map<String, String> form) {
        Instant deadline = deadline();
        String body = form.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        Map<String, String> headers = Map.of("Content-Type", "application/x-www-form-urlencoded");
        try {
            Destination to = destination(url, deadline);
            HttpAnswer answer = http.ask(to, HttpQuestion.post(headers, body), left(deadline));
            if (answer.status() >= 500 || answer.status() == 429) {
                throw AccessError.identityProviderUnavailable();
            }
            return Json.received(answer.text());
        } catch (CallFailedException | UnreadableJsonException e) {
            throw AccessError.identityProviderUnavailable();
        }
    }

    private Destination destination(String url, Instant deadline) {
        Endpoint endpoint =
                Endpoint.of(url).orElseThrow(() -> new CallFailedException(InvocationFailure.ENDPOINT_NOT_ALLOWED));
        return addresses.destination(endpoint, left(deadline));
    }

    private Duration left(Instant deadline) {
        Duration left = Duration.between(clock.instant(), deadline);
        if (left.isNegative() || left.isZero()) {
            throw new CallFailedException(InvocationFailure.TIMEOUT);
        }
        return left;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
