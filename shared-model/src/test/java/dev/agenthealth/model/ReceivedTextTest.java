package dev.agenthealth.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceivedTextTest {

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "a, a",
        "\ufeff, ''",
        "\ufeff{}, {}",
        "\ufeff\ufeffa, \ufeffa",
        "a\ufeff, a\ufeff",
        "' \ufeffa', ' \ufeffa'"
    })
    void one_mark_at_the_beginning_is_removed(String received, String text) {
        assertThat(ReceivedText.of(received)).isEqualTo(text);
        assertThat(ReceivedText.of(received.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
    }
}
