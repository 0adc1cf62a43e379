package dev.agenthealth.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The event of a clock that is off, however far (RFC-0016 §4.5). */
@Tag("R16-16")
class ClockDriftEventTest {

    static Stream<Arguments> drifts() {
        return Stream.of(
                Arguments.of(Duration.ofMillis(60_001), 60_001L),
                Arguments.of(Duration.ofMillis(-60_001), -60_001L),
                Arguments.of(Duration.ofMillis(Long.MAX_VALUE), Long.MAX_VALUE),
                Arguments.of(Duration.ofMillis(Long.MAX_VALUE - 1), Long.MAX_VALUE - 1),
                Arguments.of(Duration.ofMillis(-Long.MAX_VALUE + 1), -Long.MAX_VALUE + 1),
                Arguments.of(Duration.ofDays(365_000_000_000L), Long.MAX_VALUE),
                Arguments.of(Duration.ofDays(-365_000_000_000L), Long.MIN_VALUE));
    }

    @ParameterizedTest
    @MethodSource("drifts")
    void it_names_the_drift_in_milliseconds_as_far_as_a_number_goes(Duration drift, long millis) {
        Pulse counted = Pulses.active().withDriftReported(Pulses.T0);
        Event event = AgentEvents.clockDrift(counted, drift, Pulses.T0);
        assertThat(event.type()).isEqualTo(EventType.AGENT_CLOCK_DRIFT);
        assertThat(event.sequence()).isEqualTo(2);
        assertThat(event.detail()).containsEntry("drift_ms", millis).containsEntry("interval_seconds", 30L);
    }
}
