package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;

@Tag("SN-06")
class CallerOutcomesPropertyTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    @Property
    void what_counts_of_one_owner_is_at_most_what_two_others_met(
            @ForAll @Size(max = 60) List<@IntRange(max = 4) Integer> owners) {
        CallerOutcomes errors = CallerOutcomes.NONE;
        Map<String, Integer> met = new HashMap<>();
        Map<String, Integer> counted = new HashMap<>();
        for (int i = 0; i < owners.size(); i++) {
            String owner = "owner-" + owners.get(i);
            errors = errors.met(owner, NOW.plusSeconds(i), DAY);
            met.merge(owner, 1, Integer::sum);
            if (errors.areEvidence(owner)) {
                counted.merge(owner, 1, Integer::sum);
            }
        }
        counted.forEach((owner, number) -> {
            int thirdLargest = met.values().stream()
                    .sorted((a, b) -> b - a)
                    .skip(2)
                    .findFirst()
                    .orElse(0);
            assertThat(number <= thirdLargest || thirdLargest >= CallerOutcomes.MAX_EACH)
                    .isTrue();
        });
        assertThat(errors.byOwner().values()).allMatch(moments -> moments.size() <= CallerOutcomes.MAX_EACH);
    }

    @Example
    void the_third_owner_makes_them_evidence() {
        CallerOutcomes two = CallerOutcomes.NONE.met("a", NOW, DAY).met("b", NOW, DAY);
        assertThat(two.areEvidence("a")).isFalse();
        assertThat(two.areEvidence("b")).isFalse();
        assertThat(two.met("b", NOW, DAY).areEvidence("b")).isFalse();
        CallerOutcomes three = two.met("c", NOW, DAY);
        assertThat(three.areEvidence("c")).isTrue();
        assertThat(three.met("c", NOW, DAY).areEvidence("c")).isFalse();
        assertThat(three.areEvidence("unknown")).isFalse();
    }

    @Example
    void failures_before_the_window_are_forgotten_and_the_latest_owners_stay() {
        CallerOutcomes errors = CallerOutcomes.NONE.met("a", NOW, DAY).met("b", NOW.plus(DAY), DAY);
        assertThat(errors.byOwner()).containsOnlyKeys("b");
        for (int i = 0; i < 2 * CallerOutcomes.MAX_OWNERS; i++) {
            errors = errors.met("owner-" + i, NOW.plus(DAY).plusSeconds(i), DAY);
        }
        assertThat(errors.byOwner())
                .hasSize(CallerOutcomes.MAX_OWNERS)
                .containsKey("owner-19")
                .doesNotContainKey("b");
    }

    @Example
    void the_owner_that_met_the_latest_failure_stays_whatever_its_clock() {
        CallerOutcomes errors = CallerOutcomes.NONE;
        for (int i = 0; i < CallerOutcomes.MAX_OWNERS; i++) {
            errors = errors.met("owner-" + i, NOW.plusMillis(100 + i), DAY);
        }
        assertThat(errors.met("behind", NOW, DAY).byOwner())
                .containsKey("behind")
                .doesNotContainKey("owner-0")
                .hasSize(CallerOutcomes.MAX_OWNERS);
    }

    @Property
    void successes_of_fewer_than_three_owners_are_bounded_each(
            @ForAll @Size(max = 60) List<@IntRange(max = 1) Integer> owners) {
        CallerOutcomes successes = CallerOutcomes.NONE;
        Map<String, Integer> counted = new HashMap<>();
        for (int i = 0; i < owners.size(); i++) {
            String owner = "owner-" + owners.get(i);
            Instant now = NOW.plusSeconds(i);
            if (successes.hasRoom(owner, now)) {
                successes = successes.met(owner, now, CallerOutcomes.SUCCESS_WINDOW);
                counted.merge(owner, 1, Integer::sum);
            } else {
                assertThat(successes.confirmSuccesses(now)).isFalse();
            }
        }
        assertThat(counted.values()).allMatch(number -> number <= CallerOutcomes.MAX_EACH);
    }

    @Example
    void the_room_of_an_owner_is_back_after_a_day() {
        CallerOutcomes successes = CallerOutcomes.NONE;
        for (int i = 0; i < CallerOutcomes.MAX_EACH; i++) {
            assertThat(successes.hasRoom("a", NOW)).isTrue();
            successes = successes.met("a", NOW, CallerOutcomes.SUCCESS_WINDOW);
        }
        assertThat(successes.hasRoom("a", NOW.plus(DAY).minusMillis(1))).isFalse();
        assertThat(successes.hasRoom("a", NOW.plus(DAY))).isTrue();
        assertThat(successes.hasRoom("b", NOW)).isTrue();
    }

    @Example
    void three_owners_without_room_confirm_each_other() {
        CallerOutcomes successes = CallerOutcomes.NONE;
        for (String owner : List.of("a", "b", "c")) {
            assertThat(successes.confirmSuccesses(NOW)).isFalse();
            for (int i = 0; i < CallerOutcomes.MAX_EACH; i++) {
                successes = successes.met(owner, NOW, CallerOutcomes.SUCCESS_WINDOW);
            }
        }
        assertThat(successes.confirmSuccesses(NOW)).isTrue();
        assertThat(successes.confirmSuccesses(NOW.plus(DAY))).isFalse();
    }
}
