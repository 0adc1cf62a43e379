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
     * The time that a decision may take, redirects included: 3 s by default.
     *
     * @throws IllegalArgumentException when it is shorter than a millisecond
     */
    public HealthGateBuilder timeout(Duration newTimeout) {
        if (newTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("the time-out must be at least a millisecond");
        }
        timeout = newTimeout;
        return this;
    }

    /**
     * The maximum number of cached documents: 1,000 by default. Beyond that, the least recently used one is removed, and
     * requested anew when it is asked for again.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public HealthGateBuilder maxDocuments(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("at least one document must be remembered");
        }
        maxDocuments = max;
        return this;
    }

    /**
     * The response ratio below which also an agent that calls itself healthy is called with caution: 0.95 by default.
     *
     * @throws IllegalArgumentException when it is not within 0 and 1
     */
    public HealthGateBuilder minResponseRatio(double ratio) {
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("the ratio must be within 0 and 1");
        }
        minResponseRatio = ratio;
        return this;
    }

    /** The clock that says how old a decision is. */
    public HealthGateBuilder clock(Clock newClock) {
        clock = Objects.requireNonNull(newClock);
        return this;
    }

    /** The HTTP client to use, for a proxy or certificates of its own. It must not follow redirects; the gate follows those that are safe. */
    public HealthGateBuilder httpClient(HttpClient client) {
        if (client.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("the HTTP client must not follow redirects");
        }
        http = Optional.of(client);
        return this;
    }

    /** The gate. No request is sent yet. */
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
