package dev.agenthealth.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The settings of a client. Not thread-safe. */
public final class AgentHealthClientBuilder {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final URI url;
    private Function<LongSupplier, Credential> credential = nanoTime -> Credential.key(() -> "");
    private Duration requestTimeout = Duration.ofSeconds(10);
    private Duration maxRetryTime = Duration.ofSeconds(30);
    private Optional<Transport> transport = Optional.empty();
    private boolean drainsOnShutdown = true;
    private Clock clock = Clock.systemUTC();
    private Optional<Scheduler> scheduler = Optional.empty();
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    AgentHealthClientBuilder(String url) {
        this.url = checked(url.strip());
    }

    /**
     * Sets the API key. Public documents can be read without a key.
     *
     * @throws IllegalArgumentException if it is empty or has characters other than visible ASCII
     */
    public AgentHealthClientBuilder apiKey(String key) {
        String stripped = Credential.checked(key.strip());
        if (stripped.isEmpty()) {
            throw new IllegalArgumentException("the API key is empty");
        }
        return apiKey(() -> stripped);
    }

    /**
     * Sets the supplier of the API key. It is called for every request, so that a rotated key is used at once. A key with characters other
     * than visible ASCII fails the request.
     */
    public AgentHealthClientBuilder apiKey(Supplier<String> source) {
        Objects.requireNonNull(source);
        credential = nanoTime -> Credential.key(source);
        return this;
    }

    /** Sets the supplier of a token of an identity provider, instead of a key. It is called for every request, and again after a 401. */
    public AgentHealthClientBuilder token(Supplier<String> source) {
        Objects.requireNonNull(source);
        credential = nanoTime -> Credential.token(source);
        return this;
    }

    /**
     * Sets the file with a token of an identity provider, instead of a key; at most 8 KB. {@link #build} reads it, and throws {@link
     * IllegalArgumentException} if it has no token. A changed file is read again, at most once per second, and after a 401.
     */
    public AgentHealthClientBuilder tokenFile(Path file) {
        Objects.requireNonNull(file);
        credential = nanoTime -> Credential.token(new TokenFile(file, nanoTime));
        return this;
    }

    /** Sets the maximum time of one request; 10 s by default. */
    public AgentHealthClientBuilder requestTimeout(Duration timeout) {
        requestTimeout = positive(timeout);
        return this;
    }

    /** Sets the time for which a request is retried while the registry does not answer or is busy; 30 s by default, zero for no retries. */
    public AgentHealthClientBuilder maxRetryTime(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("the time must not be negative");
        }
        maxRetryTime = time;
        return this;
    }

    /**
     * Sets the HTTP client, for example for a proxy or own certificates.
     *
     * @throws IllegalArgumentException if it follows redirects, since it would send the key along
     */
    public AgentHealthClientBuilder httpClient(HttpClient http) {
        if (http.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "the HTTP client must not follow redirects, as it would send the key along");
        }
        return transport(new HttpTransport(http));
    }

    /**
     * Prepares the client for a process that sends few requests and ends, such as a command: its first request is sent sooner, and later
     * requests are no faster. By default, the client uses the JDK's HTTP client.
     */
    public AgentHealthClientBuilder fewRequests() {
        return transport(new ConnectionTransport(CONNECT_TIMEOUT, this::defaultHttpClient));
    }

    /** Sets whether agents drain when the JVM shuts down; true by default. */
    public AgentHealthClientBuilder drainOnShutdown(boolean drains) {
        drainsOnShutdown = drains;
        return this;
    }

    /** Sets the clock for the timestamps of heartbeats. */
    public AgentHealthClientBuilder clock(Clock newClock) {
        clock = Objects.requireNonNull(newClock);
        return this;
    }

    /** Sets the scheduler with which the client waits; tests use {@link dev.agenthealth.client.testing.ManualScheduler}. */
    public AgentHealthClientBuilder scheduler(Scheduler newScheduler) {
        scheduler = Optional.of(newScheduler);
        return this;
    }

    /** Sets the source of jitter; tests use a source with a seed. */
    public AgentHealthClientBuilder random(RandomGenerator generator) {
        random = Objects.requireNonNull(generator);
        return this;
    }

    /** Returns the client. It sends no request yet. */
    public AgentHealthClient build() {
        return new AgentHealthClient(this, scheduler.orElseGet(Scheduler::system));
    }

    AgentHealthClientBuilder transport(Transport newTransport) {
        transport = Optional.of(newTransport);
        return this;
    }

    URI url() {
        return url;
    }

    boolean drainsOnShutdown() {
        return drainsOnShutdown;
    }

    Clock clock() {
        return clock;
    }

    Backoff backoff() {
        return new Backoff(random);
    }

    Api api(Scheduler used) {
        return new Api(
                transport.orElseGet(() -> new HttpTransport(defaultHttpClient())),
                url,
                credential.apply(used::nanoTime),
                requestTimeout,
                maxRetryTime,
                used,
                backoff());
    }

    private HttpClient defaultHttpClient() {
        // Plain http is for the local run. An upgrade to HTTP/2 costs a header there and gains nothing.
        HttpClient.Version version =
                url.getScheme().equalsIgnoreCase("https") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
        return HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .version(version)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    private static URI checked(String url) {
        String trimmed = url.replaceAll("/+$", "");
        try {
            URI uri = new URI(trimmed);
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (http && uri.getRawAuthority() != null && uri.getRawUserInfo() == null && uri.getRawQuery() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(rule(trimmed), e);
        }
        throw new IllegalArgumentException(rule(trimmed));
    }

    private static String rule(String url) {
        return "the URL of the registry must be an absolute http or https URL without user, password and query, such as"
                + " http://localhost:8080, but is '" + url + "'";
    }

    private static Duration positive(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("the time must be positive");
        }
        return time;
    }
}
