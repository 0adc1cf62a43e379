package dev.agenthealth.functions.registry.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The clocks by which outcomes may be judged. */
class OutcomeFieldsTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @ParameterizedTest(name = "a sender that is {0} ms ahead")
    @CsvSource({"0, true", "86399999, true", "86400000, false", "86400001, false", "-86399999, true", "-86400000, false"
    })
    void the_clock_of_the_sender_counts_where_it_is_less_than_a_day_off(long millis, boolean counts) {
        Instant sender = NOW.plusMillis(millis);
        assertThat(OutcomeFields.clocks(NOW, Optional.of(sender)))
                .isEqualTo(counts ? List.of(NOW, sender) : List.of(NOW));
        assertThat(OutcomeFields.clocks(NOW, Optional.empty())).containsExactly(NOW);
    }
}
