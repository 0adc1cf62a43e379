package dev.agenthealth.client.gate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The result of the last request for a document. Immutable.
 *
 * @param decision the resulting decision
 * @param at when the request was sent
 * @param until when the next request may be sent
 * @param lifetime how long the document was fresh by its headers
 * @param tag the tag of the document; empty if it has none or must not be stored
 */
record Poll(Decision decision, Instant at, Instant until, Duration lifetime, Optional<String> tag) {

    /** The minimum time between two requests (Agent Health State §7). */
    static final Duration MIN_INTERVAL = Duration.ofMinutes(5);

    /** The time after which a document is read again, even if its headers call it fresh for longer. */
    static final Duration MAX_INTERVAL = Duration.ofHours(1);

    /** Returns true while the decision is valid; false for a time before its request, which follows a change of the clock. */
    boolean holdsAt(Instant now) {
        return !now.isBefore(at) && now.isBefore(until);
    }

    /** Returns the poll for this answer. */
    static Poll of(DocumentRequest.Answer answer, Optional<Poll> before, DecisionRule rule, Instant at) {
        if (answer instanceof DocumentRequest.Received received) {
            Duration lifetime = received.freshness().lifetime().orElse(Duration.ZERO);
            return of(received.health(), lifetime, received.tag(), before, rule, at);
        }
        if (answer instanceof DocumentRequest.NotModified notModified) {
            Optional<HealthState> known = before.filter(poll -> poll.tag().isPresent())
                    .flatMap(poll -> poll.decision().document());
            if (known.isPresent()) {
                Poll poll = before.get();
                Duration lifetime = notModified.freshness().lifetime().orElse(poll.lifetime());
                Optional<String> tag =
                        poll.tag().filter(t -> notModified.freshness().storable());
                return of(known.get(), lifetime, tag, before, rule, at);
            }
            return failed("status 304 without a document", Duration.ZERO, at);
        }
        DocumentRequest.Failed failed = (DocumentRequest.Failed) answer;
        return failed(failed.cause(), failed.retryAfter(), at);
    }

    private static Poll of(
            HealthState health,
            Duration lifetime,
            Optional<String> tag,
            Optional<Poll> before,
            DecisionRule rule,
            Instant at) {
        Instant until = at.plus(interval(lifetime));
        Optional<HealthStatus> statusBefore = before.map(poll -> poll.decision().status());
        return new Poll(rule.decide(health, statusBefore, until), at, until, lifetime, tag);
    }

    private static Poll failed(String cause, Duration retryAfter, Instant at) {
        Decision decision = new Decision.Default(Optional.empty(), cause);
        return new Poll(decision, at, at.plus(interval(retryAfter)), Duration.ZERO, Optional.empty());
    }

    private static Duration interval(Duration asked) {
        if (asked.compareTo(MIN_INTERVAL) < 0) {
            return MIN_INTERVAL;
        }
        return asked.compareTo(MAX_INTERVAL) > 0 ? MAX_INTERVAL : asked;
    }
}
