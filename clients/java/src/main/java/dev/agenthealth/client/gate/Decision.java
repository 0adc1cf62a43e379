package dev.agenthealth.client.gate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A decision whether to call an agent, by the health document of the agent itself (Agent Health State, Appendix A). No decision says that the agent can be
 * trusted: a compromised agent can call itself healthy. Immutable.
 */
public sealed interface Decision {

    /** The status that the decision follows from; unknown where no valid document could be read. */
    default HealthStatus status() {
        return document().map(HealthState::status).orElse(HealthStatus.UNKNOWN);
    }

    /** The content of the agent's document; empty where no valid document could be read. */
    Optional<HealthState> document();

    /** The reasons, for the caller. Those of a decision other than to proceed with caution are remarks. */
    List<Reason> reasons();

    /** One sentence for logs. */
    String explanation();

    /** Returns true where the agent may be called now: false only for {@link Avoid}. */
    default boolean mayCall() {
        return true;
    }

    /**
     * Call the agent: it is operational, as far as it says. This is no proof that it can be trusted.
     *
     * @param health what its document says
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
     * Call the agent with shorter time-outs and another agent in reserve, or with a simpler request.
     *
     * @param health what its document says
     * @param reasons at least one
     * @param connectTimeout the suggested time-out of the connection
     * @param requestTimeout the suggested time-out of the whole request, 1 to 30 s: the 99th percentile of the agent's latency, or 10 s
     *     where that is not known
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
     * Do not call the agent until then; use another one.
     *
     * @param health what its document says; {@link HealthState#lastHealthyAt} is the last moment before the outage
     * @param until when the document is read again: 5 minutes after it was read, or later where its caching headers say so
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
     * Call the agent as if there were no health documents, and watch for errors: nothing is known of its health. A failed request for the
     * document is not held against the agent.
     *
     * @param document what its document says, where it is valid
     * @param cause why nothing is known
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
