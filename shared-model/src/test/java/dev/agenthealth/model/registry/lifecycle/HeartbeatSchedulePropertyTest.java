package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;

@Tag("R16-10")
class HeartbeatSchedulePropertyTest {

    private static final long CENTURY_MILLIS = 3_155_760_000_000L;

    @Property
    void an_agent_that_obeys_and_loses_one_heartbeat_is_not_unhealthy(
            @ForAll("configs") HeartbeatConfig config,
            @ForAll @IntRange(min = 100, max = 1_000) int stretch,
            @ForAll @StringLength(min = 1, max = 64) String sender,
            @ForAll @LongRange(max = CENTURY_MILLIS) long millis) {
        Instant now = Instant.ofEpochMilli(millis);
        Pulse heard = Pulses.afterHeartbeat(Pulses.active(config), now);
        int wait = new HeartbeatSchedule(stretch).nextInSeconds(heard, sender, now);
        assertThat(HeartbeatTimeoutRule.due(heard, Pulses.NO_GRACE, now.plusSeconds(2L * wait)))
                .isEmpty();
    }

    @Property
    void a_wait_is_near_the_interval_that_is_asked_for(
            @ForAll("configs") HeartbeatConfig config,
            @ForAll @IntRange(min = 100, max = 1_000) int stretch,
            @ForAll @StringLength(min = 1, max = 64) String sender,
            @ForAll @LongRange(max = CENTURY_MILLIS) long millis) {
        long asked = Math.min((long) config.intervalSeconds() * stretch / 100, config.unhealthyAfterSeconds() / 2);
        int wait = new HeartbeatSchedule(stretch)
                .nextInSeconds(Pulses.active(config), sender, Instant.ofEpochMilli(millis));
        assertThat((long) wait)
                .isBetween(Math.max(1, asked / 2), Math.min(asked + asked / 2, config.unhealthyAfterSeconds() / 2));
    }

    @Property
    void an_agent_that_obeys_reaches_its_slot_within_two_waits_and_stays_there(
            @ForAll("configs") HeartbeatConfig config,
            @ForAll @IntRange(min = 100, max = 1_000) int stretch,
            @ForAll @StringLength(min = 1, max = 64) String sender,
            @ForAll @LongRange(max = CENTURY_MILLIS) long millis) {
        HeartbeatSchedule schedule = new HeartbeatSchedule(stretch);
        Pulse pulse = Pulses.active(config);
        long asked = Math.min((long) config.intervalSeconds() * stretch / 100, config.unhealthyAfterSeconds() / 2);
        Instant now = Instant.ofEpochMilli(millis);
        for (int i = 0; i < 5; i++) {
            now = now.plusSeconds(schedule.nextInSeconds(pulse, sender, now));
            if (i >= 1) {
                long toSlot = schedule.millisToSlot(pulse, sender, now);
                assertThat(Math.min(toSlot, asked * 1_000 - toSlot))
                        .as("milliseconds from the slot, where waits are whole seconds")
                        .isLessThanOrEqualTo(asked * 1_000 / 10 + 1_500);
            }
        }
    }

    @Provide
    Arbitrary<HeartbeatConfig> configs() {
        Arbitrary<Integer> intervals = Arbitraries.integers().between(1, HeartbeatConfig.MAX_INTERVAL_SECONDS);
        return Combinators.combine(intervals, Arbitraries.integers().between(0, 1_000))
                .as((interval, more) -> {
                    int unhealthy =
                            Math.min(2 * interval + interval / 100 * more, HeartbeatConfig.MAX_THRESHOLD_SECONDS / 2);
                    return new HeartbeatConfig(interval, unhealthy, 2 * unhealthy);
                });
    }
}
