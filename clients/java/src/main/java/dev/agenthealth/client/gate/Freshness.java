package dev.agenthealth.client.gate;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The caching headers of an answer (RFC 9111).
 *
 * @param lifetime how long the answer stays fresh; empty if no header says so
 * @param storable true if the document may be kept for conditional requests
 */
record Freshness(Optional<Duration> lifetime, boolean storable) {

    private static final String MAX_AGE = "max-age=";
    private static final int MAX_DIGITS = 10;

    static Freshness of(HttpHeaders headers) {
        List<String> directives = headers.allValues("cache-control").stream()
                .flatMap(value -> List.of(value.toLowerCase(Locale.ROOT).split(",")).stream())
                .map(String::strip)
                .toList();
        boolean storable = !directives.contains("no-store");
        if (!storable || directives.stream().anyMatch(directive -> directive.startsWith("no-cache"))) {
            return new Freshness(Optional.of(Duration.ZERO), storable);
        }
        Optional<Duration> maxAge = directives.stream()
                .filter(directive -> directive.startsWith(MAX_AGE))
                .map(directive -> seconds(directive.substring(MAX_AGE.length()).replace("\"", "")))
                .min(Duration::compareTo);
        return new Freshness(maxAge.map(age -> age.minus(age(headers))).or(() -> expires(headers)), true);
    }

    /** Returns the wait that an unavailable server asks for; zero if it names none. */
    static Duration retryAfter(HttpHeaders headers) {
        String value = headers.firstValue("retry-after").orElse("");
        return moment(value)
                .flatMap(until -> sentAt(headers).map(sent -> Duration.between(sent, until)))
                .orElseGet(() -> seconds(value));
    }

    /** Returns the lifetime by the server's own clock, since this host's clock may be wrong. */
    private static Optional<Duration> expires(HttpHeaders headers) {
        Optional<String> expires = headers.firstValue("expires");
        if (expires.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(moment(expires.get())
                .flatMap(until -> sentAt(headers).map(sent -> Duration.between(sent, until)))
                .map(lifetime -> lifetime.minus(age(headers)))
                .orElse(Duration.ZERO));
    }

    private static Duration age(HttpHeaders headers) {
        return seconds(headers.firstValue("age").orElse(""));
    }

    private static Optional<Instant> sentAt(HttpHeaders headers) {
        return moment(headers.firstValue("date").orElse(""));
    }

    private static Optional<Instant> moment(String value) {
        try {
            return Optional.of(ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns seconds; zero if the value is no number, since an unreadable header makes nothing fresh. */
    private static Duration seconds(String value) {
        String digits = value.strip();
        boolean number = !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Duration.ofSeconds(Long.parseLong(digits)) : Duration.ZERO;
    }
}
