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

/** Events follow every lasting change of status, but not more often than the minimum interval. */
@Tag("AHS-13")
class PublishedPropertyTest {

    /** A status, and how long it lasts. */
    record Spell(HealthStatus status, Duration length) {}

    private final List<Published<HealthStatus>> events = new ArrayList<>();

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
    void events_are_at_least_the_dwell_apart(@ForAll @Size(max = 60) List<@From("spells") Spell> looks) {
        events.clear();
        Published<HealthStatus> published = Published.initially(HealthStatus.UNKNOWN);
        Instant now = Healths.T0;
        for (Spell look : looks) {
            published = look(published, look.status(), now);
            now = now.plus(look.length());
        }
        for (int i = 1; i < events.size(); i++) {
            assertThat(Duration.between(events.get(i - 1).at(), events.get(i).at()))
                    .isGreaterThanOrEqualTo(Published.DWELL);
            assertThat(events.get(i).value()).isNotEqualTo(events.get(i - 1).value());
        }
    }

    @Property
    void a_status_that_lasts_longer_than_the_dwell_is_published_within_it(
            @ForAll @Size(max = 60) List<@From("spells") Spell> spells) {
        events.clear();
        Published<HealthStatus> published = Published.initially(HealthStatus.UNKNOWN);
        Instant start = Healths.T0;
        for (Spell spell : spells) {
            Instant end = start.plus(spell.length());
            published = look(published, spell.status(), start);
            Instant dueAt = published.dueAt(spell.status());
            if (dueAt.isBefore(end)) {
                published = look(published, spell.status(), dueAt);
                assertThat(published.value()).isEqualTo(spell.status());
            }
            if (spell.length().compareTo(Published.DWELL) > 0) {
                assertThat(published.value()).isEqualTo(spell.status());
                assertThat(published.at()).isBeforeOrEqualTo(start.plus(Published.DWELL));
            }
            start = end;
        }
    }

    @Property
    void it_is_due_from_the_moment_it_says_and_not_before(@ForAll HealthStatus before, @ForAll HealthStatus current) {
        Published<HealthStatus> published = new Published<>(before, Healths.T0);
        Instant dueAt = published.dueAt(current);
        if (before == current) {
            assertThat(dueAt).isEqualTo(Instant.MAX);
        } else {
            assertThat(published.isDue(current, dueAt)).isTrue();
            assertThat(published.isDue(current, dueAt.minusNanos(1))).isFalse();
        }
    }

    private Published<HealthStatus> look(Published<HealthStatus> published, HealthStatus status, Instant now) {
        if (!published.isDue(status, now)) {
            return published;
        }
        Published<HealthStatus> next = new Published<>(status, now);
        events.add(next);
        return next;
    }
}
