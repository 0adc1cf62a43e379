package dev.agenthealth.functions.operations.silences;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.operations.silence.SilencePeriod.Recurring;
import dev.agenthealth.model.schedule.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Silences that a cron expression begins, where clocks change too. */
class RecurringSilencePropertyTest {

    private static final Instant SPRING = Instant.parse("2026-03-27T00:00:00Z");
    private static final Instant AUTUMN = Instant.parse("2026-10-23T00:00:00Z");

    /** Berlin skips 02:00 to 03:00 on 29 March 2026, at 01:00Z, and has it twice on 25 October, up to 01:00Z and from then on. */
    @ParameterizedTest(name = "{0} for {1}: from {2} until {3}")
    @CsvSource({
        "0 2 * * *,  PT1H, 2026-03-28T01:00:00Z, 2026-03-28T02:00:00Z",
        "0 2 * * *,  PT1H, 2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z",
        "30 2 * * *, PT1H, 2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z",
        "0 1 * * *,  PT2H, 2026-03-29T00:00:00Z, 2026-03-29T02:00:00Z",
        "0 2 * * *,  PT2H, 2026-10-25T00:00:00Z, 2026-10-25T02:00:00Z",
        "30 2 * * *, PT1H, 2026-10-25T00:30:00Z, 2026-10-25T01:30:00Z",
        "0 22 * * 6, PT9H, 2026-10-24T20:00:00Z, 2026-10-25T05:00:00Z"
    })
    void it_begins_by_the_clock_and_ends_after_its_duration(
            String cron, Duration duration, Instant from, Instant until) {
        Recurring silence = new Recurring(new CronSchedule(cron, "Europe/Berlin", 0), duration);
        assertThat(silence.activeUntil(from.minusSeconds(1))).isEmpty();
        assertThat(silence.activeUntil(from)).contains(until);
        assertThat(silence.activeUntil(until.minusSeconds(1))).contains(until);
        assertThat(silence.activeUntil(until)).isEmpty();
    }

    @Property
    void it_is_active_exactly_within_its_duration_after_a_beginning(
            @ForAll @From("schedules") CronSchedule starts,
            @ForAll @IntRange(min = 1, max = 3_000) int minutes,
            @ForAll boolean autumn,
            @ForAll @IntRange(max = 4 * 24 * 60) int minute) {
        Duration duration = Duration.ofMinutes(minutes);
        Instant now = (autumn ? AUTUMN : SPRING).plusSeconds(minute * 60L);
        Recurring silence = new Recurring(starts, duration);
        Instant begun = starts.nextAfter(now.minus(duration));
        boolean active = !begun.isAfter(now);
        assertThat(silence.activeUntil(now).isPresent()).isEqualTo(active);
        silence.activeUntil(now).ifPresent(end -> {
            assertThat(end).isAfter(now);
            if (!silence.overlapsItself(now.minus(Duration.ofDays(8)))) {
                assertThat(Duration.between(now, end)).isLessThanOrEqualTo(duration);
                assertThat(silence.activeUntil(end)).as("at its end").isEmpty();
            }
        });
    }

    @Provide
    Arbitrary<CronSchedule> schedules() {
        return Arbitraries.of(
                        List.of("0 2 * * *", "30 2 * * *", "*/30 * * * *", "15 */6 * * *", "0 22 * * 6", "0 9 1 * *"))
                .flatMap(cron -> Arbitraries.of("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe")
                        .map(zone -> new CronSchedule(cron, zone, 0)));
    }
}
