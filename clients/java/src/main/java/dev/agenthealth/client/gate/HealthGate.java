package dev.agenthealth.client.gate;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Decides whether to call an agent, by the health document that the agent serves itself (Agent Health State, Appendix A). Create a single
 * gate per process. Thread-safe.
 *
 * <pre>{@code
 * HealthGate gate = HealthGate.create();
 * Decision decision = gate.decide("https://agent.example.com");
 * if (decision.mayCall()) {
 *     call(agent, decision instanceof Decision.ProceedWithCaution caution ? caution.requestTimeout() : usualTimeout);
 * } else {
 *     callAnother();
 * }
 * }</pre>
 *
 * <p>A document is requested at most every 5 minutes, successfully or not. Its caching headers may extend that time up to an hour.
 * Concurrent calls for the same document share one request. If the request fails, or the document is too large, malformed or of another
 * kind, the health is unknown. The gate never throws because of a document.
 *
 * <p>Health is no proof of trust. An unchecked URL may belong to a service inside the caller's network. The gate sends it a GET request
 * without credentials, and returns nothing of the answer except a valid health document.
 */
public final class HealthGate {

    private final DocumentRequest requests;
    private final DecisionRule rule;
    private final Clock clock;
    private final Map<URI, CompletableFuture<Poll>> polls;

    HealthGate(DocumentRequest requests, DecisionRule rule, Clock clock, int maxDocuments) {
        this.requests = requests;
        this.rule = rule;
        this.clock = clock;
        this.polls = new Recent(maxDocuments);
    }

    /** Returns a gate with the default settings. */
    public static HealthGate create() {
        return builder().build();
    }

    /** Returns a builder for a gate with other settings. */
    public static HealthGateBuilder builder() {
        return new HealthGateBuilder();
    }

    /**
     * Decides whether to call an agent now. Sends a request if its document was not requested recently, and waits for the answer at most
     * for the timeout.
     *
     * @param url any URL of the agent with an origin that serves {@code /.well-known/agent-health}, or the URL of the document itself
     * @return {@link Decision.Default} if nothing is known: for an unusable URL, a failed request, and an interrupted thread, which stays
     *     interrupted
     */
    public Decision decide(String url) {
        Optional<URI> document = DocumentUrl.of(url);
        if (document.isEmpty()) {
            return unknown("the URL is not usable");
        }
        try {
            return poll(document.get()).get().decision();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unknown("interrupted");
        } catch (ExecutionException e) {
            return unknown(e.getCause().getClass().getSimpleName());
        }
    }

    private CompletableFuture<Poll> poll(URI document) {
        CompletableFuture<Poll> poll = new CompletableFuture<>();
        Optional<Poll> before;
        Instant now = clock.instant();
        synchronized (polls) {
            CompletableFuture<Poll> known = polls.get(document);
            before = known != null && known.isDone() ? Optional.of(known.join()) : Optional.empty();
            if (known != null && before.map(last -> last.holdsAt(now)).orElse(true)) {
                return known;
            }
            polls.put(document, poll);
        }
        requests.send(document, before.flatMap(Poll::tag))
                .thenAccept(answer -> poll.complete(Poll.of(answer, before, rule, now)));
        return poll;
    }

    private static Decision unknown(String cause) {
        return new Decision.Default(Optional.empty(), cause);
    }

    /** The most recently requested documents. */
    private static final class Recent extends LinkedHashMap<URI, CompletableFuture<Poll>> {

        private static final long serialVersionUID = 1L;

        private final int max;

        Recent(int max) {
            super(16, 0.75f, true);
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<URI, CompletableFuture<Poll>> eldest) {
            return size() > max;
        }
    }
}
