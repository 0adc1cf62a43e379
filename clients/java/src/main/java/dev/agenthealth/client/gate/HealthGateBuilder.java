package dev.agenthealth.client.gate;

import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The settings of a {@link HealthGate}. Not thread-safe. */
public final class HealthGateBuilder {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private Duration timeout = Duration.ofSeconds(3);
    private int maxDocuments = 1_000;
    private double minResponseRatio = DecisionRule.HEALTHY_RATIO;
    private Clock clock = Clock.systemUTC();
    private Optional<HttpClient> http = Optional.empty();

    HealthGateBuilder() {}

    /**
     * Sets the maximum time of a decision, including redirects; 3 s by default.
     *
     * @throws IllegalArgumentException if it is shorter than a millisecond
     */
    public HealthGateBuilder timeout(Duration newTimeout) {
        if (newTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("the time-out must be at least a millisecond");
        }
        timeout = newTimeout;
        return this;
    }

    /**
     * Sets the maximum number of cached documents; 1,000 by default. Above the maximum, the least recently used document is removed; the
     * next decision requests it anew.
     *
     * @throws IllegalArgumentException if it is below 1
     */
    public HealthGateBuilder maxDocuments(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("at least one document must be remembered");
        }
        maxDocuments = max;
        return this;
    }

    /**
     * Sets the response ratio below which even an agent that calls itself healthy is called with caution; 0.95 by default.
     *
     * @throws IllegalArgumentException if it is not between 0 and 1
     */
    public HealthGateBuilder minResponseRatio(double ratio) {
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("the ratio must be within 0 and 1");
        }
        minResponseRatio = ratio;
        return this;
    }

    /** Sets the clock for the age of decisions. */
    public HealthGateBuilder clock(Clock newClock) {
        clock = Objects.requireNonNull(newClock);
        return this;
    }

    /**
     * Sets the HTTP client, for example for a proxy or own certificates. It must not follow redirects; the gate itself follows safe
     * redirects.
     */
    public HealthGateBuilder httpClient(HttpClient client) {
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("the HTTP client must not follow redirects");
        }
        http = Optional.of(client);
        return this;
    }

    /** Returns the gate. It sends no request yet. */
    public HealthGate build() {
        HttpClient client = http.orElseGet(() -> HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build());
        return new HealthGate(
                new DocumentRequest(client, timeout), new DecisionRule(minResponseRatio), clock, maxDocuments);
    }
}
