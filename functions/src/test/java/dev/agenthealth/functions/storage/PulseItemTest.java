package dev.agenthealth.functions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Drain;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The row of a pulse: what goes in comes out, and it stays small. */
@Tag("R16-01")
@Tag("SYS-01")
class PulseItemTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:30:00.123Z");

    @Provide
    Arbitrary<Pulse> pulses() {
        return AnyPulse.stored();
    }

    @Property(tries = 500)
    void a_pulse_survives_its_row(@ForAll("pulses") Pulse pulse) {
        assertThat(PulseItem.read(PulseItem.of(pulse))).isEqualTo(pulse);
    }

    @Property(tries = 200)
    void a_pulse_survives_its_tombstone(@ForAll("pulses") Pulse pulse) {
        assertThat(TombstoneItem.read(pulse.agentId(), TombstoneItem.of(pulse, NOW)))
                .isEqualTo(pulse);
    }

    @Property(tries = 200)
    void what_a_later_version_adds_to_a_row_is_not_in_the_way(@ForAll("pulses") Pulse pulse) {
        Map<String, AttributeValue> row = new HashMap<>(PulseItem.of(pulse));
        row.put("v", AttributeValue.fromN("2"));
        row.put("new", AttributeValue.fromS("unheard of"));
        row.put("newer", AttributeValue.fromL(List.of()));
        assertThat(PulseItem.read(row)).isEqualTo(pulse);
    }

    @Property(tries = 500)
    void no_row_reaches_a_kilobyte(@ForAll("pulses") Pulse pulse) {
        assertThat(ItemSize.of(PulseItem.of(pulse))).isLessThan(1_024);
    }

    @Example
    void not_even_the_largest_row_reaches_400_bytes() {
        Pulse largest = new Pulse(
                "a".repeat(64),
                LifecycleStatus.DRAINING,
                NOW,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                NOW,
                new HeartbeatConfig(86_399, 1_295_999, 2_591_999),
                new Workload(999_999, 999_999, Long.MIN_VALUE, 999),
                KeyHash.ofKey("key"),
                Drain.starting(NOW, Duration.ofSeconds(86_399)),
                Long.MAX_VALUE,
                NOW);
        assertThat(ItemSize.of(PulseItem.of(largest))).isLessThan(400);
    }

    @Example
    void a_usual_row_has_at_most_300_bytes_and_a_quiet_one_half_of_it() {
        Pulse quiet =
                Pulse.first("agent_01J9ZQ4K7M8N2P3R5S6T7V8W9X", HeartbeatConfig.DEFAULT, 5, KeyHash.ofKey("key"), NOW);
        assertThat(ItemSize.of(PulseItem.of(quiet))).isLessThanOrEqualTo(150);
        Pulse busy = new Pulse(
                quiet.agentId(),
                LifecycleStatus.DRAINING,
                NOW,
                17,
                42,
                1_234_567,
                4_711,
                NOW,
                HeartbeatConfig.DEFAULT,
                new Workload(5, 5, 0x7123456789abcdefL, 5),
                quiet.credential(),
                Drain.starting(NOW, Drain.DEFAULT_TIMEOUT),
                16,
                NOW);
        assertThat(ItemSize.of(PulseItem.of(busy))).isLessThanOrEqualTo(300);
    }
}
