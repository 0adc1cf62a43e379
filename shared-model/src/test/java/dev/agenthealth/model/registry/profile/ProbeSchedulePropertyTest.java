package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ProbeSchedulePropertyTest {

    private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");

    @Property
    void an_agent_is_due_once_in_each_interval_however_long_a_pass_takes(
            @ForAll String agentId,
            @ForAll @IntRange(min = 10, max = 600) int interval,
            @ForAll @LongRange(min = 500, max = 9_000) long passMillis) {
        int due = 0;
        Instant end = START.plusSeconds(20L * interval);
        for (Instant at = START; at.isBefore(end); at = next(at, passMillis, end)) {
            if (ProbeSchedule.isDue(agentId, interval, at, next(at, passMillis, end))) {
                due++;
            }
        }
        assertThat(due).isEqualTo(20);
    }

    @Property
    void an_agent_is_due_once_after_a_pause_of_several_intervals(
            @ForAll String agentId, @ForAll @IntRange(min = 1) int interval) {
        assertThat(ProbeSchedule.isDue(agentId, interval, START, START.plusSeconds(3L * interval)))
                .isTrue();
        assertThat(ProbeSchedule.isDue(agentId, interval, START, START)).isFalse();
    }

    private static Instant next(Instant at, long passMillis, Instant end) {
        Instant next = at.plusMillis(passMillis);
        return next.isBefore(end) ? next : end;
    }
}
