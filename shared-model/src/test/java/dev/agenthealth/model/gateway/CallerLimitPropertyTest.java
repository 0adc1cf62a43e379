package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The limit holds for any distribution of invocations over time. */
@Tag("SN-07")
class CallerLimitPropertyTest {

    private static final long SECOND = 1_000_000;

    @Property
    void a_time_span_admits_at_most_its_share_and_a_burst(
            @ForAll @IntRange(min = 1, max = 1_000) int perSecond,
            @ForAll @IntRange(min = 1, max = 100) int burst,
            @ForAll @Size(max = 300) List<@IntRange(max = 400_000) Integer> pauses) {
        CallerLimit limit = new CallerLimit(perSecond, burst);
        long now = 1_770_544_800_000_000L;
        long earnedBack = 0;
        long[] through = new long[pauses.size()];
        int count = 0;
        for (int pause : pauses) {
            now += pause;
            if (earnedBack <= limit.latest(now)) {
                earnedBack = Math.max(now, earnedBack) + limit.spacing();
                through[count++] = now;
            }
        }
        for (int from = 0; from < count; from++) {
            for (int to = from; to < count; to++) {
                long allowed = burst + (through[to] - through[from]) * perSecond / SECOND;
                assertThat(to - from + 1L).isLessThanOrEqualTo(allowed);
            }
        }
    }

    @Property
    void a_caller_is_admitted_after_the_returned_wait(
            @ForAll @IntRange(min = 1, max = 1_000) int perSecond,
            @ForAll @IntRange(min = 1, max = 100) int burst,
            @ForAll @IntRange(max = 10_000_000) int ahead) {
        CallerLimit limit = new CallerLimit(perSecond, burst);
        long now = 1_770_544_800_000_000L;
        long earnedBack = now + ahead;
        Duration wait = limit.wait(earnedBack, now);
        long later = now + wait.toNanos() / 1_000;
        assertThat(earnedBack).isLessThanOrEqualTo(limit.latest(later));
        assertThat(wait.isZero()).isEqualTo(earnedBack <= limit.latest(now));
    }

    @Property
    void the_used_time_is_bounded_by_the_limit_and_clocks_may_differ_by_a_minute(
            @ForAll @IntRange(min = 1, max = 1_000) int perSecond, @ForAll @IntRange(min = 1, max = 10_000) int burst) {
        CallerLimit limit = new CallerLimit(perSecond, burst);
        long now = 1_770_544_800_000_000L;
        long usedUp = limit.latest(now) + limit.spacing();
        assertThat(limit.farthest(now)).isGreaterThanOrEqualTo(usedUp);
        assertThat(limit.farthest(now - 60 * SECOND)).isEqualTo(usedUp);
    }

    @Example
    void the_spacing_rounds_up_and_a_burst_ends_after_the_others_of_it() {
        CallerLimit limit = new CallerLimit(3, 5);
        assertThat(limit.spacing()).isEqualTo(333_334);
        assertThat(new CallerLimit(1_000, 1).spacing()).isEqualTo(1_000);
        assertThat(limit.latest(SECOND)).isEqualTo(SECOND + 4 * 333_334);
        assertThat(limit.window()).isEqualTo(Duration.ofNanos(5 * 333_334_000L));
        assertThat(limit.wait(limit.latest(SECOND), SECOND)).isZero();
        assertThat(limit.wait(limit.latest(SECOND) + 7, SECOND)).isEqualTo(Duration.ofNanos(7_000));
    }
}
