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

/** A model of what subscribers are to know: falls at once, returns that last, and no two falls from healthy within five minutes. */
@Tag("AHS-13")
class PublishedPropertyTest {

    /** A status, and how long it lasts. */
    record Spell(HealthStatus status, Duration length) {}

    /** An event, and the last status other than unknown that was published before it. */
    record Sent(HealthStatus lastKnown, HealthStatus status, Instant at) {

        boolean isFallFromHealthy() {
            return lastKnown == HealthStatus.HEALTHY && rank(status) > 0;
        }
    }

    private final List<Sent> events = new ArrayList<>();
    private Published<HealthStatus> published;
    private HealthStatus lastKnown;
    private HealthStatus current;

    private void begin() {
        events.clear();
        published = Published.initially(HealthStatus.UNKNOWN);
        lastKnown = HealthStatus.UNKNOWN;
        current = HealthStatus.UNKNOWN;
    }

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
    void falls_from_healthy_are_at_least_the_dwell_apart_and_no_event_repeats_another(
            @ForAll @Size(max = 60) List<@From("spells") Spell> looks) {
        begin();
        Instant now = Healths.T0;
        for (Spell look : looks) {
            look(look.status(), now);
            now = now.plus(look.length());
        }
        List<Instant> falls =
                events.stream().filter(Sent::isFallFromHealthy).map(Sent::at).toList();
        for (int i = 1; i < falls.size(); i++) {
            assertThat(Duration.between(falls.get(i - 1), falls.get(i))).isGreaterThanOrEqualTo(Published.DWELL);
        }
        for (int i = 1; i < events.size(); i++) {
            assertThat(events.get(i).status()).isNotEqualTo(events.get(i - 1).status());
        }
    }

    @Property
    void after_each_look_subscribers_know_of_every_fall_and_of_no_return_that_did_not_last(
            @ForAll @Size(max = 60) List<@From("spells") Spell> looks) {
        begin();
        Instant now = Healths.T0;
        Instant since = now;
        for (Spell look : looks) {
            since = look.status() == current ? since : now;
            HealthStatus knownBefore = lastKnown;
            int before = events.size();
            look(look.status(), now);
            if (look.status() != HealthStatus.UNKNOWN) {
                assertThat(rank(lastKnown)).isGreaterThanOrEqualTo(rank(look.status()));
            }
            boolean returned = events.size() > before && rank(lastKnown) < rank(knownBefore);
            assertThat(!returned || !now.isBefore(since.plus(Published.DWELL))).isTrue();
            now = now.plus(look.length());
        }
    }

    @Property
    void a_status_that_lasts_longer_than_the_dwell_is_published_within_it(
            @ForAll @Size(max = 60) List<@From("spells") Spell> spells) {
        begin();
        Instant start = Healths.T0;
        for (Spell spell : spells) {
            Instant end = start.plus(spell.length());
            look(spell.status(), start);
            Instant dueAt = published.dueAt(spell.status().changeFrom(published.value(), lastKnown));
            if (dueAt.isBefore(end)) {
                look(spell.status(), dueAt);
                assertThat(published.value()).isEqualTo(spell.status());
            }
            if (spell.length().compareTo(Published.DWELL) > 0) {
                assertThat(published.value()).isEqualTo(spell.status());
                assertThat(published.at()).isBeforeOrEqualTo(start.plus(Published.DWELL));
            }
            start = end;
        }
    }

    private static int rank(HealthStatus status) {
        return List.of(HealthStatus.DEGRADED, HealthStatus.UNHEALTHY).indexOf(status) + 1;
    }

    private void look(HealthStatus status, Instant now) {
        if (status != current) {
            published = published.changed(now);
            current = status;
        }
        if (published.isDue(status.changeFrom(published.value(), lastKnown), now)) {
            events.add(new Sent(lastKnown, status, now));
            published = published.published(status, now);
            lastKnown = status == HealthStatus.UNKNOWN ? lastKnown : status;
        }
    }
}
