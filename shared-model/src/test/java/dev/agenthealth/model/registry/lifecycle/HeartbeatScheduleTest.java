package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R16-10")
class HeartbeatScheduleTest {

    private static final String SENDER = "agent_billing_01";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // interval | unhealthy | stretch | seconds from the arrival to the next slot | wait
                // exactly in its slot
                "30 | 90  | 100 | 30 | 30",
                // late: the wait is shorter
                "30 | 90  | 100 | 29 | 29",
                "30 | 90  | 100 | 15 | 15",
                // early: the wait is longer
                "30 | 90  | 100 | 1  | 31",
                "30 | 90  | 100 | 14 | 44",
                // no wait may be longer than the interval: a little early is not corrected, more takes two equal waits
                "30 | 60  | 100 | 1  | 30",
                "30 | 60  | 100 | 3  | 30",
                "30 | 60  | 100 | 4  | 17",
                "30 | 60  | 100 | 14 | 22",
                "30 | 60  | 100 | 16 | 16",
                // stretched, at most to half of the threshold
                "30 | 90  | 120 | 36 | 36",
                "30 | 90  | 150 | 45 | 45",
                "30 | 90  | 1000 | 45 | 45",
                "30 | 60  | 300 | 30 | 30",
                "30 | 600 | 1000 | 300 | 300",
                "10 | 600 | 300 | 30 | 30",
                "30 | 600 | 300 | 10 | 100",
                // an interval of a second leaves no room
                "1  | 2   | 100 | 1  | 1",
                "1  | 10  | 100 | 1  | 1",
                "86400 | 172800 | 100 | 86400 | 86400",
            })
    void asks_for_the_slot_nearest_to_one_interval_from_now(
            int interval, int unhealthyAfter, int stretch, int toSlot, int wait) {
        HeartbeatSchedule schedule = new HeartbeatSchedule(stretch);
        Pulse pulse = Pulses.active(new HeartbeatConfig(interval, unhealthyAfter, 2 * unhealthyAfter));
        long stretched = Math.min((long) interval * stretch / 100, unhealthyAfter / 2);
        Instant slot = slotAfter(schedule, pulse, stretched);
        assertThat(schedule.nextInSeconds(pulse, SENDER, slot.plusSeconds(stretched - toSlot)))
                .isEqualTo(wait);
    }

    @Test
    void a_draining_agent_is_not_asked_to_wait_longer_than_it_declares() {
        HeartbeatSchedule schedule = new HeartbeatSchedule(300);
        HeartbeatConfig config = new HeartbeatConfig(30, 600, 1_200);
        Pulse draining = Pulses.in(LifecycleStatus.DRAINING, config);
        for (int second = 0; second < 90; second++) {
            assertThat(schedule.nextInSeconds(draining, SENDER, Pulses.T0.plusSeconds(second)))
                    .isBetween(15, 45);
        }
    }

    @Test
    void agents_that_share_a_request_are_asked_for_the_same_moment() {
        Instant now = Pulses.T0.plusMillis(17_321);
        int wait = HeartbeatSchedule.AS_DECLARED.nextInSeconds(Pulses.active(), SENDER, now);
        assertThat(HeartbeatSchedule.AS_DECLARED.nextInSeconds(
                        RegistrationRule.first(
                                "another", HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Pulses.OWNER, now),
                        SENDER,
                        now))
                .isEqualTo(wait);
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent-%05d", "%d", "billing:eu-west-1:%x", "01JD%08dXYZ"})
    void a_fleet_that_returns_within_one_second_is_spread_over_the_interval_by_its_next_heartbeat(String ids) {
        int agents = 30_000;
        Map<Long, Integer> perSecond = new TreeMap<>();
        for (int i = 0; i < agents; i++) {
            Instant now = Pulses.T0.plusMillis(i % 1_000);
            int wait = HeartbeatSchedule.AS_DECLARED.nextInSeconds(Pulses.active(), ids.formatted(i), now);
            perSecond.merge(now.plusSeconds(wait).getEpochSecond(), 1, Integer::sum);
        }
        assertThat(perSecond).hasSizeBetween(30, 32);
        assertThat(perSecond.values())
                .as("agents in one second, of 1,000 on average")
                .allMatch(count -> count < 1_200);
    }

    @Test
    void a_fleet_with_tight_thresholds_is_spread_by_its_second_heartbeat() {
        HeartbeatConfig tight = new HeartbeatConfig(30, 60, 120);
        int[] perSecond = new int[90];
        IntStream.range(0, 30_000).forEach(i -> {
            Instant now = Pulses.T0;
            for (int k = 0; k < 2; k++) {
                now = now.plusSeconds(
                        HeartbeatSchedule.AS_DECLARED.nextInSeconds(Pulses.active(tight), "agent-" + i, now));
            }
            perSecond[(int) (now.getEpochSecond() - Pulses.T0.getEpochSecond())]++;
        });
        assertThat(IntStream.of(perSecond).max().orElseThrow())
                .as("agents in one second; of those that are a little early, a tenth stays together")
                .isLessThan(5_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, 99, 1_001, Integer.MAX_VALUE})
    void refuses_a_stretch_out_of_range(int stretch) {
        assertThatThrownBy(() -> new HeartbeatSchedule(stretch)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A moment at which the slot begins: the first at which a whole interval is left after one at which less was. */
    private static Instant slotAfter(HeartbeatSchedule schedule, Pulse pulse, long stretched) {
        for (long millis = 0; millis <= stretched * 1_000; millis++) {
            Instant at = Pulses.T0.plusMillis(millis);
            if (isSlot(schedule, pulse, at, stretched)) {
                return at;
            }
        }
        throw new AssertionError("no slot within an interval");
    }

    private static boolean isSlot(HeartbeatSchedule schedule, Pulse pulse, Instant at, long stretched) {
        return schedule.millisToSlot(pulse, SENDER, at) == stretched * 1_000;
    }
}
