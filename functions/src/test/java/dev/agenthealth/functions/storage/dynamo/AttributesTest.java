package dev.agenthealth.functions.storage.dynamo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributesTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 1_234, 12_345, 123_456, -7, -12_345, Long.MAX_VALUE, Long.MIN_VALUE})
    void a_number_gets_leading_zeros(long number) {
        assertThat(Attributes.padded(number, 5)).isEqualTo(String.format(Locale.ROOT, "%05d", number));
    }
}
