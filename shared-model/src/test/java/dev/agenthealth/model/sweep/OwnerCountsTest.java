package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.profile.Watch;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("SYS-02")
class OwnerCountsTest {

    private static final Instant LATE = T0.plusSeconds(301);
    private static final long OWNER = GroupNumber.of(Pulses.OWNER.keyId());

    private static OwnerCounts of(Pulse... pulses) {
        OwnerCounts.Tally tally = new OwnerCounts.Tally();
        for (Pulse pulse : pulses) {
            tally.add(pulse, Watch.NOT_WATCHED, NO_GRACE, LATE);
        }
        return tally.counts();
    }

    @Test
    void agents_are_counted_by_the_key_that_owns_them() {
        Pulse silent = Pulses.afterHeartbeat(Pulses.active(), T0);
        assertThat(of(silent, Pulses.afterHeartbeat(Pulses.active(), LATE), Pulses.in(LifecycleStatus.DEAD)))
                .isEqualTo(counts(Map.of(OWNER, 2L), Map.of(OWNER, 1L), Map.of(), Map.of(OWNER, 3L)));
    }

    @Test
    void agents_are_counted_as_watched_while_they_are_probed() {
        OwnerCounts.Tally tally = new OwnerCounts.Tally();
        tally.add(Pulses.active(), 60, NO_GRACE, LATE);
        tally.add(Pulses.active(), Watch.NOT_WATCHED, NO_GRACE, LATE);
        tally.add(Pulses.in(LifecycleStatus.DEAD), 60, NO_GRACE, LATE);
        tally.add(Pulses.in(LifecycleStatus.DEREGISTERED), 60, NO_GRACE, LATE);
        assertThat(tally.counts().watched()).isEqualTo(Map.of(OWNER, 2L));
        assertThat(tally.counts().ownersOfWatched(2, 10)).containsExactly(OWNER);
        assertThat(tally.counts().ownersOfWatched(3, 10)).isEmpty();
    }

    @Test
    void the_death_of_an_agent_that_never_sent_a_heartbeat_is_not_limited() {
        assertThat(of(Pulses.active())).isEqualTo(counts(Map.of(OWNER, 1L), Map.of(), Map.of(), Map.of(OWNER, 1L)));
    }

    @Test
    void an_owner_is_known_by_the_id_of_its_key() {
        Owner owner = new Owner("key", KeyHash.ofKey("one"));
        assertThat(OwnerCounts.numberOf(owner))
                .isEqualTo(OwnerCounts.numberOf(new Owner("key", KeyHash.ofKey("two"))))
                .isNotEqualTo(OwnerCounts.numberOf(new Owner("other", KeyHash.ofKey("one"))));
        assertThat(OwnerCounts.numberOf(Owner.NONE)).isEqualTo(GroupNumber.NONE);
    }

    @Test
    void parts_add_up() {
        OwnerCounts one =
                new OwnerCounts(Map.of(1L, 2L, 2L, 3L), Map.of(2L, 1L), Map.of(1L, 1L), Map.of(1L, 1L), Map.of(2L, 9L));
        OwnerCounts other =
                new OwnerCounts(Map.of(2L, 4L), Map.of(3L, 1L), Map.of(1L, 3L), Map.of(2L, 2L), Map.of(2L, 1L));
        assertThat(one.plus(other))
                .isEqualTo(new OwnerCounts(
                        Map.of(1L, 2L, 2L, 7L),
                        Map.of(2L, 1L, 3L, 1L),
                        Map.of(1L, 4L),
                        Map.of(1L, 1L, 2L, 2L),
                        Map.of(2L, 10L)));
    }

    @Test
    void beyond_the_maximum_the_smallest_owners_are_counted_together() {
        Map<Long, Long> many = new HashMap<>();
        for (long owner = 1; owner <= OwnerCounts.MAX_OWNERS; owner++) {
            many.put(owner, owner);
        }
        OwnerCounts all = counts(many, Map.of(), Map.of(), Map.of())
                .plus(counts(Map.of(1_000_000L, 50L), Map.of(), Map.of(), Map.of()));
        assertThat(all.agents()).hasSize(OwnerCounts.MAX_OWNERS).containsEntry(GroupNumber.NONE, 3L);
        assertThat(all.agents().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(many.values().stream().mapToLong(Long::longValue).sum() + 50);
    }

    @Test
    void the_largest_owners_of_enough_agents_are_named() {
        OwnerCounts counts =
                counts(Map.of(GroupNumber.NONE, 99L, 1L, 4L, 2L, 5L, 3L, 6L, 4L, 7L), Map.of(), Map.of(), Map.of());
        assertThat(counts.ownersOf(5, 10)).containsExactlyInAnyOrder(2L, 3L, 4L);
        assertThat(counts.ownersOf(5, 2)).containsExactlyInAnyOrder(3L, 4L);
    }

    @Test
    void owners_of_ten_times_as_many_rows_are_named_too() {
        OwnerCounts counts = counts(Map.of(1L, 5L, 2L, 1L), Map.of(), Map.of(), Map.of(1L, 5L, 2L, 50L, 3L, 49L));
        assertThat(counts.ownersOf(5, 10)).containsExactlyInAnyOrder(1L, 2L);
        assertThat(counts.ownersOf(5, 1)).as("first by live agents").containsExactly(1L);
    }

    private static OwnerCounts counts(
            Map<Long, Long> agents, Map<Long, Long> dying, Map<Long, Long> watched, Map<Long, Long> rows) {
        return new OwnerCounts(agents, dying, watched, Map.of(), rows);
    }
}
