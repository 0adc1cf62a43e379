package dev.agenthealth.functions.storage.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.pulses.AnyPulse;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** The tombstone of an archived agent. */
@Tag("R16-01")
class TombstoneItemTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:30:00.123Z");

    @Provide
    Arbitrary<Pulse> pulses() {
        return AnyPulse.stored();
    }

    @Property
    void a_pulse_survives_its_tombstone(@ForAll("pulses") Pulse pulse) {
        assertThat(TombstoneItem.read(pulse.agentId(), TombstoneItem.of(pulse, NOW)))
                .isEqualTo(pulse);
    }
}
