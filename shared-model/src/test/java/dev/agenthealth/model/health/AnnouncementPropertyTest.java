package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

/** Subscribers are told enough and not too much, however a status changes. */
@Tag("AHS-13")
class AnnouncementPropertyTest {

    /** A status, and how long it lasts. */
    record Spell(HealthStatus status, Duration length) {}

    private final List<Announcement<HealthStatus>> told = new ArrayList<>();

    @Provide
    Arbitrary<Spell> spells() {
        Arbitrary<Long> millis = Arbitraries.oneOf(
                Arbitraries.of(0L, 1L, 60_000L, 299_999L, 300_000L, 300_001L),
                Arbitraries.longs().between(0, 60_000),
                Arbitraries.longs().between(0, 1_000_000));
        return Combinators.combine(Arbitraries.of(HealthStatus.class), millis.map(Duration::ofMillis))
                .as(Spell::new);
    }

    @Property
    void no_two_events_are_closer_than_the_dwell_whenever_somebody_looks(
            @ForAll @Size(max = 60) List<@From("spells") Spell> looks) {
        told.clear();
        Announcement<HealthStatus> announcement = Announcement.initially(HealthStatus.UNKNOWN);
        Instant now = Healths.T0;
        for (Spell look : looks) {
            announcement = look(announcement, look.status(), now);
            now = now.plus(look.length());
        }
        for (int i = 1; i < told.size(); i++) {
            assertThat(Duration.between(told.get(i - 1).at(), told.get(i).at()))
                    .isGreaterThanOrEqualTo(Announcement.DWELL);
            assertThat(told.get(i).told()).isNotEqualTo(told.get(i - 1).told());
        }
    }

    @Property
    void what_lasts_longer_than_the_dwell_is_told_within_it_by_who_looks_at_changes_and_when_they_are_due(
            @ForAll @Size(max = 60) List<@From("spells") Spell> spells) {
        told.clear();
        Announcement<HealthStatus> announcement = Announcement.initially(HealthStatus.UNKNOWN);
        Instant start = Healths.T0;
        for (Spell spell : spells) {
            Instant end = start.plus(spell.length());
            announcement = look(announcement, spell.status(), start);
            Instant dueAt = announcement.dueAt(spell.status());
            if (dueAt.isBefore(end)) {
                announcement = look(announcement, spell.status(), dueAt);
                assertThat(announcement.told()).isEqualTo(spell.status());
            }
            if (spell.length().compareTo(Announcement.DWELL) > 0) {
                assertThat(announcement.told()).isEqualTo(spell.status());
                assertThat(announcement.at()).isBeforeOrEqualTo(start.plus(Announcement.DWELL));
            }
            start = end;
        }
    }

    @Property
    void it_is_due_from_the_moment_it_says_and_not_before(@ForAll HealthStatus before, @ForAll HealthStatus current) {
        Announcement<HealthStatus> announcement = new Announcement<>(before, Healths.T0);
        Instant dueAt = announcement.dueAt(current);
        if (before == current) {
            assertThat(dueAt).isEqualTo(Instant.MAX);
        } else {
            assertThat(announcement.isDue(current, dueAt)).isTrue();
            assertThat(announcement.isDue(current, dueAt.minusNanos(1))).isFalse();
        }
    }

    private Announcement<HealthStatus> look(Announcement<HealthStatus> announcement, HealthStatus status, Instant now) {
        if (!announcement.isDue(status, now)) {
            return announcement;
        }
        Announcement<HealthStatus> next = new Announcement<>(status, now);
        told.add(next);
        return next;
    }
}
