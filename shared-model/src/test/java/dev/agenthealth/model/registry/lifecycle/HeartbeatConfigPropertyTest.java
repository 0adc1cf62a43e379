package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

@Tag("R16-08")
class HeartbeatConfigPropertyTest {

    @Property
    void valid_is_exactly_what_keeps_all_the_rules(@ForAll int interval, @ForAll int unhealthy, @ForAll int dead) {
        agrees(interval, unhealthy, dead);
    }

    @Property
    void valid_is_exactly_what_keeps_all_the_rules_near_the_bounds(
            @ForAll @IntRange(min = -1, max = 10) int interval,
            @ForAll @IntRange(min = -2, max = 22) int unhealthy,
            @ForAll @IntRange(min = -4, max = 45) int dead) {
        agrees(interval, unhealthy, dead);
    }

    private static void agrees(long interval, long unhealthy, long dead) {
        boolean valid = interval >= 1
                && interval <= Duration.ofDays(1).toSeconds()
                && unhealthy >= 2 * interval
                && dead >= 2 * unhealthy
                && dead <= Duration.ofDays(30).toSeconds();
        assertThat(new HeartbeatConfig((int) interval, (int) unhealthy, (int) dead)
                        .errors()
                        .isEmpty())
                .isEqualTo(valid);
    }
}
