package dev.agenthealth.model.health.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the name of a group is removed. */
@Tag("AHM-08")
class GroupUseTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "true,  -1,    KEEP",
        "true,  90000, KEEP",
        "false, -1,    MARK_UNUSED",
        "false, 0,     KEEP",
        "false, 1799,  KEEP",
        "false, 1800,  REMOVE",
        "false, 90000, REMOVE"
    })
    void a_name_is_removed_half_an_hour_after_it_was_marked_as_unused(
            boolean used, long secondsMarked, GroupUse.Decision expected) {
        Instant unusedSince = secondsMarked < 0 ? Instant.MAX : NOW.minusSeconds(secondsMarked);
        assertThat(GroupUse.decide(used, unusedSince, NOW)).isEqualTo(expected);
    }
}
