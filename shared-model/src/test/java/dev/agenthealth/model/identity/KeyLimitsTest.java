package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.address.AddressBlock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyLimitsTest {

    private static final Instant END = Instant.parse("2026-02-08T10:00:00Z");
    private static final KeyAction ACTION = KeyAction.values()[0];
    private static final KeyAction OTHER = KeyAction.values()[1];

    private static final KeyLimits LIMITED = new KeyLimits(
            Optional.of(END), List.of(AddressBlock.of("10.0.0.0/8").orElseThrow()), Set.of(ACTION));

    @ParameterizedTest
    @CsvSource({"-1, false", "0, true", "1, true"})
    void a_key_has_ended_from_its_end_on(long millis, boolean ended) {
        assertThat(LIMITED.hasEnded(END.plusMillis(millis))).isEqualTo(ended);
    }

    @ParameterizedTest
    @CsvSource({"10.1.2.3, true", "11.1.2.3, false", "'', false", "no address, false"})
    void a_key_with_addresses_is_accepted_from_these(String address, boolean allowed) {
        assertThat(LIMITED.allows(address)).isEqualTo(allowed);
    }

    @Test
    void a_key_with_actions_may_do_these() {
        assertThat(LIMITED.allows(ACTION)).isTrue();
        assertThat(LIMITED.allows(OTHER)).isFalse();
    }

    @Test
    void a_key_without_limits_has_none() {
        assertThat(KeyLimits.NONE.isNone()).isTrue();
        assertThat(LIMITED.isNone()).isFalse();
        assertThat(KeyLimits.NONE.hasEnded(Instant.MAX)).isFalse();
        assertThat(KeyLimits.NONE.allows("")).isTrue();
        assertThat(KeyLimits.NONE.allows(OTHER)).isTrue();
    }
}
