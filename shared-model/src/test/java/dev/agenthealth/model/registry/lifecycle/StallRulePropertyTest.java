package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever an agent reports, its events tell one story: worse and worse, then over. */
class StallRulePropertyTest {

    @Property
    void levels_rise_until_the_stall_is_over(
            @ForAll @Size(max = 40) List<@IntRange(min = -1, max = 200) Integer> ages) {
        HeartbeatConfig config = HeartbeatConfig.DEFAULT.with(new StallConfig(StallConfig.sameForAll(60), false));
        Pulse pulse = Pulses.active(config);
        Instant now = Pulses.T0;
        List<StallLevel> published = new ArrayList<>(List.of(StallLevel.NONE));
        for (int age : ages) {
            now = now.plusSeconds(30);
            pulse = pulse.withHeartbeat(heartbeat(age), now);
            // Another stall ends the published stall first, and begins with the next pass.
            for (int pass = 0; pass < 2; pass++) {
                Optional<StallChange> change = StallRule.due(pulse, Pulses.NO_GRACE, false, now);
                if (change.isPresent()) {
                    pulse = change.get().after();
                    published.add(pulse.stall().level());
                }
            }
            assertThat(StallRule.due(pulse, Pulses.NO_GRACE, false, now)).isEmpty();
            assertThat(pulse.stall().isOpen()).isEqualTo(StallRule.isStalled(pulse));
            assertThat(pulse.stall().level()).isGreaterThanOrEqualTo(StallRule.level(pulse));
        }
        for (int i = 1; i < published.size(); i++) {
            boolean over = published.get(i) == StallLevel.NONE;
            assertThat(
                            over
                                    ? published.get(i - 1) != StallLevel.NONE
                                    : published.get(i).compareTo(published.get(i - 1)) > 0)
                    .isTrue();
        }
        assertThat(pulse.sequence()).isEqualTo(Pulses.active(config).sequence() + published.size() - 1);
    }

    private static Heartbeat heartbeat(int age) {
        return new Heartbeat(
                false,
                0,
                false,
                List.of(),
                Heartbeat.UNKNOWN_TIME,
                ProcessStart.UNKNOWN,
                Pulse.ANY_INCARNATION,
                age < 0 ? ReportedActivity.NONE : new ReportedActivity(Phase.TOOL, Duration.ofSeconds(age)),
                SeenBy.HEARTBEAT);
    }
}
