package dev.agenthealth.functions.notification.delivery;

import dev.agenthealth.functions.notification.delivery.Delivery.Delivered;
import dev.agenthealth.functions.notification.delivery.Delivery.Gone;
import dev.agenthealth.functions.notification.delivery.Delivery.Refused;
import dev.agenthealth.functions.notification.delivery.Delivery.Retry;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.CallResult;
import dev.agenthealth.functions.outbound.HttpStatus;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.PinnedHttpClient;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.notification.NotificationMessage;
import dev.agenthealth.model.notification.NotificationTarget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Sends messages to their targets, under the same rules of addresses as the gateway's calls: public ones only, resolved once, no redirects.
 * Thread-safe.
 */
public final class Senders {

    /** The maximum time that {@link #send} takes, whatever a receiver does; a caller leaves itself a little more. */
    public static final Duration MAX_TIME = Duration.ofSeconds(20);

    private static final Duration MIN_TIME = Duration.ofMillis(1);

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final Mailbox mailbox;
    private final Clock clock;
    private final Duration maxTime;

    /**
     * @param resolver resolves the host names of targets
     * @param tls secures the connections to them
     */
    public Senders(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this(wiring, resolver, tls, MAX_TIME);
    }

    Senders(Wiring wiring, NameResolver resolver, SecureSockets tls, Duration maxTime) {
        this.addresses = AddressCheck.of(wiring.environment(), resolver);
        this.http = new PinnedHttpClient(tls);
        this.mailbox = new Mailbox(wiring);
        this.clock = wiring.clock();
        this.maxTime = maxTime;
    }

    /**
     * Sends a message once. A receiver may get it again when it is retried: webhooks carry the message's id, PagerDuty's events a key. A message
     * without events ends alerts, which PagerDuty alone has.
     *
     * @param attemptAt when this attempt is made, the timestamp of a webhook
     */
    public Delivery send(NotificationTarget target, NotificationMessage message, Instant attemptAt) {
        if (target instanceof NotificationTarget.PagerDuty pagerDuty) {
            return post(PagerDutyEvents.of(pagerDuty, message), attemptAt, false);
        }
        if (message.total() == 0) {
            return new Delivered();
        }
        if (target instanceof NotificationTarget.Webhook webhook) {
            return post(List.of(WebhookMessage.of(webhook, message, attemptAt)), attemptAt, true);
        }
        if (target instanceof NotificationTarget.Slack slack) {
            return post(List.of(SlackMessage.of(slack, message)), attemptAt, false);
        }
        return mailbox.send(((NotificationTarget.Email) target).address(), message);
    }

    /** Sends the requests one after another, until one is not accepted. All have the same address. */
    private Delivery post(List<Post> posts, Instant attemptAt, boolean repairable) {
        Instant start = clock.instant();
        for (Post post : posts) {
            Delivery delivery = post(post, start, attemptAt, repairable);
            if (!(delivery instanceof Delivered)) {
                return delivery;
            }
        }
        return new Delivered();
    }

    private Delivery post(Post post, Instant start, Instant attemptAt, boolean repairable) {
        Optional<Endpoint> endpoint = Endpoint.of(post.url().toString());
        if (endpoint.isEmpty()) {
            return new Refused("the URL of the target cannot be called");
        }
        CallResult<HttpStatus> result = addresses
                .destination(endpoint.get(), left(start))
                .then(to -> http.deliver(to, post.headers(), post.body(), left(start)));
        return result.fold(status -> of(status, attemptAt, repairable), Senders::of);
    }

    private Duration left(Instant start) {
        Instant now = clock.instant();
        Duration left = now.isBefore(start) ? maxTime : maxTime.minus(Duration.between(start, now));
        return left.compareTo(MIN_TIME) < 0 ? MIN_TIME : left;
    }

    /**
     * @param repairable whether a refusal by status may end without a change of the target, as where the receiver is software that is being
     *     deployed
     */
    private static Delivery of(HttpStatus status, Instant attemptAt, boolean repairable) {
        int code = status.code();
        String reason = "the receiver answered with the HTTP status " + code;
        if (code >= 200 && code <= 299) {
            return new Delivered();
        }
        if (code == 410) {
            return new Gone();
        }
        if (code >= 300 && code <= 399) {
            return new Refused(reason + ", which sends elsewhere and is not followed");
        }
        boolean passes = code >= 500 || code == 408 || code == 425 || code == 429;
        return passes || repairable
                ? new Retry(RetryAfter.of(status.retryAfter(), attemptAt), reason)
                : new Refused(reason);
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
