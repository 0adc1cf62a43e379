package dev.agenthealth.model.registry.upstream;

import dev.agenthealth.model.WireNamed;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The kinds of failures of a call of a provider. */
public enum UpstreamError implements WireNamed {
    /** The provider limits the rate of calls: status 429. */
    RATE_LIMITED("ratelimit", "toomanyrequests", "throttl", "resourceexhausted"),
    /** The provider cannot answer: status 5xx, or no connection. */
    UNAVAILABLE(
            "unavailable",
            "overloaded",
            "internalserver",
            "servererror",
            "badgateway",
            "apiconnection",
            "connectionerror",
            "connectionrefused",
            "connectionreset",
            "modelnotready"),
    /** The provider did not answer in time: status 408 or 504, or a time-out of the caller. */
    TIMEOUT("timeout", "timedout", "deadline"),
    /** The provider refuses the credentials of the agent: status 401 or 403. The failure is the agent's own. */
    AUTH("authentication", "unauthorized", "unauthenticated", "permissiondenied", "forbidden", "accessdenied");

    private static final int STATUS_DIGITS = 3;

    private final String[] words;

    UpstreamError(String... words) {
        this.words = words;
    }

    /** Returns whether other agents of the provider may meet the failure at the same time. */
    public boolean isShared() {
        return this != AUTH;
    }

    /**
     * Returns the kind of a failure by its HTTP status or by the name of an exception, such as {@code 429} or {@code openai.RateLimitError}; empty
     * for a failure that says nothing about the provider.
     */
    public static Optional<UpstreamError> ofType(String type) {
        if (type.length() == STATUS_DIGITS && type.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return ofStatus(Integer.parseInt(type));
        }
        String word = type.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        // A time-out of a connection is a time-out.
        return Stream.of(TIMEOUT, RATE_LIMITED, UNAVAILABLE, AUTH)
                .filter(kind -> Stream.of(kind.words).anyMatch(word::contains))
                .findFirst();
    }

    /** Returns the kind of a failure by its HTTP status; empty for other statuses. */
    public static Optional<UpstreamError> ofStatus(int status) {
        return switch (status) {
            case 401, 403 -> Optional.of(AUTH);
            case 408, 504 -> Optional.of(TIMEOUT);
            case 429 -> Optional.of(RATE_LIMITED);
            default -> status >= 500 && status <= 599 ? Optional.of(UNAVAILABLE) : Optional.empty();
        };
    }
}
