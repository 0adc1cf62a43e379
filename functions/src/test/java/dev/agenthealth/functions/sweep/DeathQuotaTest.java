package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deaths that a pass may write, by owner. */
class DeathQuotaTest {

    private static OwnerCounts dying(Map<Long, Long> byOwner) {
        return new OwnerCounts(byOwner, byOwner, Map.of(), Map.of(), Map.of());
    }

    @Test
    void an_owner_takes_its_own_number_and_the_others_share_one() {
        DeathQuota.Remaining left =
                new DeathQuota.Remaining(DeathQuota.of(Map.of(7L, 2L, 8L, 0L, GroupNumber.NONE, 1L)));
        assertThat(left.take(7)).isTrue();
        assertThat(left.take(7)).isTrue();
        assertThat(left.take(7)).isFalse();
        assertThat(left.take(8))
                .as("an owner whose number is used up takes nothing of the others")
                .isFalse();
        assertThat(left.take(9)).isTrue();
        assertThat(left.take(10)).isFalse();
        left.giveBack(7);
        left.giveBack(10);
        assertThat(left.take(7)).isTrue();
        assertThat(left.take(9)).isTrue();
        assertThat(left.take(9)).isFalse();
    }

    @Test
    void without_a_number_nothing_is_taken_and_without_a_limit_everything() {
        DeathQuota.Remaining none = new DeathQuota.Remaining(DeathQuota.NONE);
        assertThat(none.take(7)).isFalse();
        assertThat(none.take(dying(Map.of(7L, 3L)))).isEqualTo(DeathQuota.of(Map.of(GroupNumber.NONE, 0L)));
        DeathQuota.Remaining all = new DeathQuota.Remaining(DeathQuota.UNLIMITED);
        assertThat(all.take(7)).isTrue();
        assertThat(all.take(dying(Map.of(7L, 3L)))).isEqualTo(DeathQuota.UNLIMITED);
    }

    @Test
    void a_shard_takes_what_it_needs_as_far_as_it_is_left() {
        DeathQuota.Remaining left = new DeathQuota.Remaining(DeathQuota.of(Map.of(7L, 5L, GroupNumber.NONE, 3L)));
        assertThat(left.take(dying(Map.of(7L, 4L, 9L, 1L, 10L, 1L))))
                .isEqualTo(DeathQuota.of(Map.of(7L, 4L, GroupNumber.NONE, 2L)));
        assertThat(left.take(dying(Map.of(7L, 4L, 9L, 4L))))
                .isEqualTo(DeathQuota.of(Map.of(7L, 1L, GroupNumber.NONE, 1L)));
        assertThat(left.take(7)).isFalse();
        assertThat(left.take(9)).isFalse();
    }
}
