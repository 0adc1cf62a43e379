package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.functions.runtime.outbound.Delivery.Delivered;
import dev.agenthealth.functions.runtime.outbound.Delivery.Gone;
import dev.agenthealth.functions.runtime.outbound.Delivery.Refused;
import dev.agenthealth.functions.runtime.outbound.Delivery.Retry;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * Posts messages to receivers, under the same rules for addresses as the gateway's calls: public addresses only, resolved once, no
 * redirects. Thread-safe.
 */
public final class HttpSender {

    /** The maximum duration of {@link #send}. A caller plans a little more time for itself. */
    public static final Duration MAX_TIME = Duration.ofSeconds(20);

    private static final Duration MIN_TIME = Duration.ofMillis(1);

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final Clock clock;
    private final Duration maxTime;

    /** The meaning of a status from 400 to 499, except for statuses that are always temporary. */
    public enum Refusals {
        /** The request is wrong, and a retry would fail. */
        FINAL,
        /** The refusal may end without a change of the target. */
        PASSING
    }

    /**
     * @param resolver resolves the host names of targets
     * @param tls secures the connections to them
     */
    public HttpSender(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this(wiring, resolver, tls, MAX_TIME);
    }

    HttpSender(Wiring wiring, NameResolver resolver, SecureSockets tls, Duration maxTime) {
        this.addresses = AddressCheck.of(wiring, resolver);
        this.http = new PinnedHttpClient(tls);
        this.clock = wiring.clock();
        this.maxTime = maxTime;
    }

    /** Returns why a text cannot be the URL of a target; empty if it can. */
    public Optional<String> fault(String url) {
        Optional<Endpoint> endpoint = Endpoint.of(url);
        if (endpoint.isEmpty()) {
            return Optional.of("must be a URL without credentials and fragment, such as https://example.com/hook");
        }
        return switch (addresses.judge(endpoint.get())) {
            case INSECURE -> Optional.of("must begin with https://" + AddressCheck.remedy(endpoint.get()));
            case FORBIDDEN -> Optional.of("must lead to a public address" + AddressCheck.remedy(endpoint.get()));
            case ALLOWED -> Optional.empty();
        };
    }

    /**
     * Sends requests one after another, until a target does not accept one.
     *
     * @param attemptAt the time of this attempt, to which a {@code Retry-After} refers
     */
    public Delivery send(List<Post> posts, Instant attemptAt, Refusals refusals) {
        Instant start = clock.instant();
        for (Post post : posts) {
            Delivery delivery = send(post, start, attemptAt, refusals);
            if (!(delivery instanceof Delivered)) {
                return delivery;
            }
        }
        return new Delivered();
    }

    private Delivery send(Post post, Instant start, Instant attemptAt, Refusals refusals) {
        Optional<Endpoint> endpoint = Endpoint.of(post.url().toString());
        if (endpoint.isEmpty()) {
            return new Refused("the URL of the target cannot be called");
        }
        try {
            Destination to = addresses.destination(endpoint.get(), left(start));
            return of(http.deliver(to, post.headers(), post.body(), left(start)), attemptAt, refusals);
        } catch (CallFailedException e) {
            return of(e.reason());
        }
    }

    private Duration left(Instant start) {
        Instant now = clock.instant();
        Duration left = now.isBefore(start) ? maxTime : maxTime.minus(Duration.between(start, now));
        return left.compareTo(MIN_TIME) < 0 ? MIN_TIME : left;
    }

    /** Returns the meaning of a status. */
    static Delivery of(HttpStatus status, Instant attemptAt, Refusals refusals) {
        int code = status.code();
        String reason = "the receiver answered with the HTTP status " + code;
        if (code >= 200 && code <= 299) {
            return new Delivered();
        }
        if (code == 410) {
            return new Gone("the receiver answered 410: it wants no more messages");
        }
        if (code >= 300 && code <= 399) {
            return new Refused(reason + ", which sends elsewhere and is not followed");
        }
        boolean passes = code >= 500 || code == 408 || code == 425 || code == 429;
        return passes || refusals == Refusals.PASSING
                ? new Retry(wait(status.retryAfter().strip(), attemptAt), reason)
                : new Refused(reason);
    }

    /** Reads the header {@code Retry-After} (RFC 9110 §10.2.3), in seconds or as a date. Zero if the header is missing or cannot be read. */
    private static Duration wait(String header, Instant now) {
        try {
            Duration wait = header.matches("[0-9]{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(header))
                    : Duration.between(now, DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from));
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }

    private static Delivery of(InvocationFailure failure) {
        return switch (failure) {
            case ENDPOINT_NOT_ALLOWED -> new Refused("the address of the target is not a public one, or not https");
            case UNKNOWN_HOST -> new Retry(Duration.ZERO, "the host name of the target has no address");
            case TLS_FAILED -> new Retry(Duration.ZERO, "no secure connection to the receiver came about");
            case CONNECT_TIMEOUT, CONNECTION_REFUSED -> new Retry(Duration.ZERO, "the receiver cannot be reached");
            case TIMEOUT -> new Retry(Duration.ZERO, "the receiver did not answer in time");
            default -> new Retry(Duration.ZERO, "the receiver's answer was incomplete or no HTTP");
        };
    }
}
