package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenPeriodTest {

    /** Seconds from now; the end of what is accepted is a minute later. */
    @ParameterizedTest
    @CsvSource({
        "person,   0,     0,   300,    300, ''",
        "person,   60,    0,   300,    300, ''",
        "person,   61,    0,   300,    300, is not valid yet",
        "person,   0,     60,  300,    300, ''",
        "person,   0,     61,  300,    300, is not valid yet",
        "person,  -300,   0,   -60,    -60, ''",
        "person,  -300,   0,   -61,    -61, has expired",
        "person,  -960,   0,   300,    -60, ''",
        "person,  -961,   0,   300,    -61, was issued more than 15 minutes ago: get a new one",
        "person,   0,     0,   864000, 900, ''",
        "workload, -3600, 0,   60,     60,  ''",
        "workload, 0,     0,   86400,  86400, ''",
        "workload, 0,     0,   86401,  86401, is valid for more than 24 hours",
        "workload, -300,  0,   -61,    -61, has expired"
    })
    void a_token_is_accepted_from_its_issue_to_its_end(
            String kind, long issued, long notBefore, long expires, long end, String refusal) {
        Instant now = Instant.parse("2026-02-08T10:30:00Z");
        boolean workload = kind.equals("workload");
        TokenPeriod period =
                new TokenPeriod(now.plusSeconds(issued), now.plusSeconds(notBefore), now.plusSeconds(expires));
        assertThat(period.end(workload)).isEqualTo(now.plusSeconds(end));
        assertThat(period.refusal(workload, now).orElse("")).isEqualTo(refusal);
    }
}
