package dev.agenthealth.model.operations.silence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agenthealth.model.operations.silence.SilencePeriod.Once;
import dev.agenthealth.model.operations.silence.SilencePeriod.Recurring;
import dev.agenthealth.model.schedule.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SilenceTest {

    private static final Instant TEN = Instant.parse("2026-02-08T10:00:00Z");
    private static final SilencePeriod HOUR = new Once(TEN, TEN.plusSeconds(3_600));

    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "3599, true", "3600, false", "3601, false"})
    void a_silence_is_active_from_its_beginning_until_before_its_end(int second, boolean active) {
        Instant now = TEN.plusSeconds(second);
        Silence silence = silence("", "s", SilenceScope.EVERYTHING, HOUR);
        assertThat(silence.isActive(now)).isEqualTo(active);
        assertThat(silence.endsAt(now).isPresent()).isEqualTo(active);
    }

    @Test
    void the_next_occurrences_begin_later_than_now_and_follow_the_clock() {
        SilencePeriod nights = new Recurring(new CronSchedule("0 2 * * *", "Europe/Berlin", 0), Duration.ofHours(3));
        Instant during = Instant.parse("2026-03-28T03:00:00Z");
        assertThat(nights.next(during, 3))
                .extracting(SilencePeriod.Activity::from, SilencePeriod.Activity::to)
                .containsExactly(
                        // Clocks go forward on 29 March: two o'clock is skipped.
                        tuple(Instant.parse("2026-03-29T01:00:00Z"), Instant.parse("2026-03-29T04:00:00Z")),
                        tuple(Instant.parse("2026-03-30T00:00:00Z"), Instant.parse("2026-03-30T03:00:00Z")),
                        tuple(Instant.parse("2026-03-31T00:00:00Z"), Instant.parse("2026-03-31T03:00:00Z")));
    }

    @Test
    void a_single_silence_has_a_next_occurrence_until_it_begins() {
        assertThat(HOUR.next(TEN.minusSeconds(1), 5)).hasSize(1);
        assertThat(HOUR.next(TEN, 5)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_ID, a, true",
        "AGENT_ID, b, false",
        "ROLE_ID, r, true",
        "ROLE_ID, a, false",
        "CAPABILITY, c, true",
        "CAPABILITY, d, true",
        "CAPABILITY, r, false",
        "OWNER_KEY_ID, k, true",
        "OWNER_KEY_ID, l, false",
        "EVERYTHING, '', true"
    })
    void a_scope_covers_by_its_label(SilenceScope.Kind kind, String id, boolean covered) {
        SilenceLabels labels = new SilenceLabels("a", "r", "k", Set.of("c", "d"));
        assertThat(silence("", "s", new SilenceScope(kind, id), HOUR).covers(labels))
                .isEqualTo(covered);
    }

    @Test
    void what_the_registry_itself_reports_is_covered_by_everything_only() {
        SilenceLabels registry = SilenceLabels.of("", "");
        for (SilenceScope.Kind kind : SilenceScope.Kind.values()) {
            String id = kind == SilenceScope.Kind.EVERYTHING ? "" : "x";
            assertThat(new SilenceScope(kind, id).covers(registry)).isEqualTo(kind == SilenceScope.Kind.EVERYTHING);
        }
    }

    @Test
    void the_silence_of_an_owner_covers_nothing_of_another_owner() {
        Silence own = silence("k", "s", new SilenceScope(SilenceScope.Kind.AGENT_ID, "a"), HOUR);
        assertThat(own.needsLookup()).isTrue();
        assertThat(own.covers(new SilenceLabels("a", "", "k", Set.of()))).isTrue();
        assertThat(own.covers(new SilenceLabels("a", "", "l", Set.of()))).isFalse();
        assertThat(own.covers(SilenceLabels.of("a", ""))).as("an unknown owner").isFalse();
    }

    @Test
    void of_several_silences_the_one_that_ends_last_counts() {
        Silence hour = silence("", "hour", SilenceScope.EVERYTHING, HOUR);
        Silence day = silence("", "day", SilenceScope.EVERYTHING, new Once(TEN, TEN.plus(Duration.ofDays(1))));
        Silence other = silence(
                "",
                "other",
                new SilenceScope(SilenceScope.Kind.AGENT_ID, "b"),
                new Once(TEN, TEN.plus(Duration.ofDays(9))));
        assertThat(Silence.lastToEnd(List.of(day, hour, other), SilenceLabels.of("a", ""), TEN))
                .contains(day);
        assertThat(Silence.lastToEnd(List.of(other), SilenceLabels.of("a", ""), TEN))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0} minutes after the hour, for {1} minutes: until {2}")
    @CsvSource({"0, 10, 10", "9, 10, 10", "10, 10, ", "59, 10, ", "30, 59, 59"})
    void a_recurring_silence_is_active_for_its_duration_after_each_beginning(int minute, int duration, Integer until) {
        Instant now = TEN.plusSeconds(minute * 60L);
        assertThat(everyHour(duration).activeUntil(now).map(end ->
                        (int) Duration.between(TEN, end).toMinutes()))
                .isEqualTo(Optional.ofNullable(until));
    }

    @ParameterizedTest
    @CsvSource({"58, false", "59, true", "60, true", "61, true", "240, true"})
    void a_recurring_silence_that_begins_before_it_ends_is_recognised(int duration, boolean overlaps) {
        assertThat(everyHour(duration).overlapsItself(TEN)).isEqualTo(overlaps);
    }

    private static Recurring everyHour(int minutes) {
        return new Recurring(new CronSchedule("0 * * * *", "UTC", 0), Duration.ofMinutes(minutes));
    }

    private static Silence silence(String owner, String name, SilenceScope scope, SilencePeriod period) {
        return new Silence(owner, name, "id-of-" + name, scope, period, "", new Silence.Creation("key", TEN));
    }

    @ParameterizedTest
    @CsvSource({
        "AGENT_ID,     false",
        "ROLE_ID,      false",
        "CAPABILITY,   true",
        "OWNER_KEY_ID, true",
        "EVERYTHING,   false"
    })
    void labels_that_an_event_lacks_are_looked_up(SilenceScope.Kind kind, boolean needed) {
        assertThat(silence("", "s", new SilenceScope(kind, "x"), HOUR).needsLookup())
                .isEqualTo(needed);
        assertThat(silence("k", "s", new SilenceScope(kind, "x"), HOUR).needsLookup())
                .isTrue();
        assertThat(HOUR.over()).contains(TEN.plusSeconds(3_600));
    }

    @ParameterizedTest(name = "{0} minutes after the first beginning: until {1}")
    @CsvSource({"0, 15", "7, 15", "14, 15", "15, "})
    void a_beginning_before_the_end_prolongs_a_recurring_silence(int minute, Integer until) {
        CronSchedule twice = new CronSchedule("0,5 10 * * *", "UTC", 0);
        assertThat(new Recurring(twice, Duration.ofMinutes(10)).activeUntil(TEN.plusSeconds(60L * minute)))
                .isEqualTo(Optional.ofNullable(until).map(minutes -> TEN.plusSeconds(60L * minutes)));
    }
}
