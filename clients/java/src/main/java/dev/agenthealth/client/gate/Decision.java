package dev.agenthealth.client.gate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A decision whether to call an agent, by the agent's own health document (Agent Health State, Appendix A). No decision means that the
 * agent can be trusted: a compromised agent can call itself healthy. Immutable.
 */
public sealed interface Decision {

    /** Returns the status on which the decision is based; unknown without a valid document. */
    default HealthStatus status() {
        return document().map(HealthState::status).orElse(HealthStatus.UNKNOWN);
    }

    /** Returns the content of the agent's document; empty without a valid document. */
    Optional<HealthState> document();

    /** Returns the reasons, for the caller. They justify a decision to proceed with caution; for other decisions they are remarks. */
    List<Reason> reasons();

    /** Returns a sentence for logs. */
    String explanation();

    /** Returns true if the agent may be called now; false only for {@link Avoid}. */
    default boolean mayCall() {
        return true;
    }

    /**
     * Call the agent: it is operational, by its own document. This is no proof that it can be trusted.
     *
     * @param health the content of its document
     */
    record Proceed(HealthState health, List<Reason> reasons) implements Decision {

        public Proceed {
            reasons = List.copyOf(reasons);
        }

        @Override
        public Optional<HealthState> document() {
            return Optional.of(health);
        }

        @Override
        public String explanation() {
            return "operational by its own report, which is no proof of trust" + also(reasons);
        }
    }

    /**
     * Call the agent with shorter timeouts and another agent in reserve, or with a simpler request.
     *
     * @param health the content of its document
     * @param reasons at least one
     * @param connectTimeout the suggested timeout of the connection
     * @param requestTimeout the suggested timeout of the whole request, 1 to 30 s: the 99th percentile of the agent's latency, or 10 s if
     *     it is unknown
     */
    record ProceedWithCaution(
            HealthState health, List<Reason> reasons, Duration connectTimeout, Duration requestTimeout)
            implements Decision {

        public ProceedWithCaution {
            reasons = List.copyOf(reasons);
        }

        @Override
        public Optional<HealthState> document() {
            return Optional.of(health);
        }

        @Override
        public String explanation() {
            return texts(reasons)
                    + String.format(
                            Locale.ROOT, "; a time-out of %.1f s is suggested", requestTimeout.toMillis() / 1e3);
        }
    }

    /**
     * Do not call the agent until {@code until}; use another agent.
     *
     * @param health the content of its document; {@link HealthState#lastHealthyAt} is the last time before the outage
     * @param until the time at which the document is read again: 5 minutes after the last read, or later by its caching headers
     */
    record Avoid(HealthState health, List<Reason> reasons, Instant until) implements Decision {

        public Avoid {
            reasons = List.copyOf(reasons);
        }

        @Override
        public Optional<HealthState> document() {
            return Optional.of(health);
        }

        @Override
        public boolean mayCall() {
            return false;
        }

        @Override
        public String explanation() {
            String since = health.lastHealthyAt()
                    .map(moment -> ", last healthy at " + moment)
                    .orElse("");
            return "unhealthy" + since + ": avoid until " + until + also(reasons);
        }
    }

    /**
     * Call the agent as if there were no health documents, and watch for errors: its health is unknown. A failed request for the document
     * is no evidence against the agent.
     *
     * @param document the content of its document, if it is valid
     * @param cause the reason why the health is unknown
     */
    record Default(Optional<HealthState> document, String cause) implements Decision {

        @Override
        public HealthStatus status() {
            return HealthStatus.UNKNOWN;
        }

        @Override
        public List<Reason> reasons() {
            return List.of();
        }

        @Override
        public String explanation() {
            return "health unknown: " + cause;
        }
    }

    private static String also(List<Reason> reasons) {
        return reasons.isEmpty() ? "" : " (" + texts(reasons) + ")";
    }

    private static String texts(List<Reason> reasons) {
        return reasons.stream().map(Reason::text).collect(Collectors.joining(", "));
    }
}
