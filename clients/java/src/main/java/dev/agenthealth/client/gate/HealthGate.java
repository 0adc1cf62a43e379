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
 * Decides whether to call an agent by the health document that the agent serves itself (Agent Health State, Appendix A). Thread-safe; one
 * gate serves a whole process.
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
 * <p>A document is requested at most every 5 minutes, successfully or not, and less often where its caching headers say so, up to an hour.
 * Calls for the same document at the same time share one request. A request that fails, and a document that is too large, malformed or of
 * another kind, means that the health is unknown; no document makes the gate throw.
 *
 * <p>Health is no proof of trust. A URL that was not checked before can be that of a service inside of the caller's network; the gate
 * sends it a GET request without credentials and shows nothing of the answer but a valid health document.
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

    /** A gate with the default settings. */
    public static HealthGate create() {
        return builder().build();
    }

    /** A gate with settings of its own. */
    public static HealthGateBuilder builder() {
        return new HealthGateBuilder();
    }

    /**
     * Decides whether to call an agent now. Sends a request if none was sent for its document lately, and waits for the answer no longer than the
     * time-out.
     *
     * @param url any URL of the agent, whose origin serves {@code /.well-known/agent-health}, or the URL of the document itself
     * @return {@link Decision.Default} where nothing is known: for a URL that is not usable, a failed request, and a thread that was
     *     interrupted, which stays interrupted
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

    /** The documents that were asked for last. */
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
