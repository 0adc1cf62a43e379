package dev.agenthealth.client.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The freshness of a document by its headers. */
@Tag("AHS-17")
class FreshnessTest {

    private static final String DATE = "date: Sun, 08 Feb 2026 10:00:00 GMT";

    private static HttpHeaders headers(String... headers) {
        Map<String, List<String>> values = Stream.of(headers)
                .map(header -> header.split(": ", 2))
                .collect(Collectors.groupingBy(
                        parts -> parts[0], Collectors.mapping(parts -> parts[1], Collectors.toList())));
        return HttpHeaders.of(values, (name, value) -> true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "public, max-age=60           |       | PT1M",
                "Max-Age=600                  |       | PT10M",
                "max-age=600                  | 100   | PT8M20S",
                "max-age=600                  | 700   | PT-1M-40S",
                "max-age=\"600\"              |       | PT10M",
                "max-age=600, max-age=60      |       | PT1M",
                "max-age=600, no-cache        |       | PT0S",
                "max-age=600, no-store        |       | PT0S",
                "max-age=-5                   |       | PT0S",
                "max-age=soon                 |       | PT0S",
                "max-age=99999999999999999999 |       | PT0S",
                "max-age=600                  | old   | PT10M"
            })
    void cache_control_and_age_say_how_long(String cacheControl, String age, Duration lifetime) {
        HttpHeaders headers = age == null
                ? headers("cache-control: " + cacheControl)
                : headers("cache-control: " + cacheControl, "age: " + age);

        assertThat(Freshness.of(headers).lifetime()).contains(lifetime);
    }

    @Test
    void a_document_that_must_not_be_stored_is_not() {
        assertThat(Freshness.of(headers("cache-control: no-store")).storable()).isFalse();
        assertThat(Freshness.of(headers("cache-control: no-cache")).storable()).isTrue();
    }

    @Test
    void without_cache_control_the_moment_of_expiry_counts_by_the_servers_clock() {
        assertThat(Freshness.of(headers(DATE, "expires: Sun, 08 Feb 2026 10:20:00 GMT"))
                        .lifetime())
                .contains(Duration.ofMinutes(20));
        assertThat(Freshness.of(headers(DATE, "expires: 0")).lifetime()).contains(Duration.ZERO);
        assertThat(Freshness.of(headers(DATE)).lifetime()).isEmpty();
        assertThat(Freshness.of(headers("cache-control: max-age=60", DATE, "expires: Sun, 08 Feb 2026 10:20:00 GMT"))
                        .lifetime())
                .contains(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"900 | PT15M", "Sun, 08 Feb 2026 10:30:00 GMT | PT30M", "later | PT0S", "-1 | PT0S"})
    void a_busy_server_says_when_to_come_back(String retryAfter, Duration wait) {
        assertThat(Freshness.retryAfter(headers(DATE, "retry-after: " + retryAfter)))
                .isEqualTo(wait);
    }
}
