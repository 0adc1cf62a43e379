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
class CallerErrorsPropertyTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);

    @Property
    void what_counts_of_one_owner_is_at_most_what_two_others_met(
            @ForAll @Size(max = 60) List<@IntRange(max = 4) Integer> owners) {
        CallerErrors errors = CallerErrors.NONE;
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
            assertThat(number <= thirdLargest || thirdLargest >= CallerErrors.MAX_EACH)
                    .isTrue();
        });
        assertThat(errors.byOwner().values()).allMatch(moments -> moments.size() <= CallerErrors.MAX_EACH);
    }

    @Example
    void the_third_owner_makes_them_evidence() {
        CallerErrors two = CallerErrors.NONE.met("a", NOW, DAY).met("b", NOW, DAY);
        assertThat(two.areEvidence("a")).isFalse();
        assertThat(two.areEvidence("b")).isFalse();
        assertThat(two.met("b", NOW, DAY).areEvidence("b")).isFalse();
        CallerErrors three = two.met("c", NOW, DAY);
        assertThat(three.areEvidence("c")).isTrue();
        assertThat(three.met("c", NOW, DAY).areEvidence("c")).isFalse();
        assertThat(three.areEvidence("unknown")).isFalse();
    }

    @Example
    void failures_before_the_window_are_forgotten_and_the_latest_owners_stay() {
        CallerErrors errors = CallerErrors.NONE.met("a", NOW, DAY).met("b", NOW.plus(DAY), DAY);
        assertThat(errors.byOwner()).containsOnlyKeys("b");
        for (int i = 0; i < 2 * CallerErrors.MAX_OWNERS; i++) {
            errors = errors.met("owner-" + i, NOW.plus(DAY).plusSeconds(i), DAY);
        }
        assertThat(errors.byOwner())
                .hasSize(CallerErrors.MAX_OWNERS)
                .containsKey("owner-19")
                .doesNotContainKey("b");
    }

    @Example
    void the_owner_that_met_the_latest_failure_stays_whatever_its_clock() {
        CallerErrors errors = CallerErrors.NONE;
        for (int i = 0; i < CallerErrors.MAX_OWNERS; i++) {
            errors = errors.met("owner-" + i, NOW.plusSeconds(10 + i), DAY);
        }
        assertThat(errors.met("behind", NOW, DAY).byOwner())
                .containsKey("behind")
                .doesNotContainKey("owner-0")
                .hasSize(CallerErrors.MAX_OWNERS);
    }
}
