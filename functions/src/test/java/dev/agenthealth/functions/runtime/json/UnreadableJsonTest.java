package dev.agenthealth.functions.runtime.json;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The reasons for which a text of a caller is no JSON. */
class UnreadableJsonTest {

    static Arguments[] texts() {
        return new Arguments[] {
            Arguments.of("{\"a\":1,\"a\":2}", "a name is repeated"),
            Arguments.of("[".repeat(2_000), "it is nested too deeply"),
            Arguments.of("{\"a\":1" + "0".repeat(300) + "}", "a number has more than 100 digits"),
            Arguments.of("{\"a\":1.5" + "0".repeat(300) + "}", "a number has more than 100 digits"),
            Arguments.of("{\"a\":}", "a syntax error at line 1, column")
        };
    }

    @ParameterizedTest
    @MethodSource("texts")
    void the_reason_is_named(String text, String reason) {
        assertThatThrownBy(() -> Json.received(text))
                .isInstanceOf(UnreadableJsonException.class)
                .hasMessageContaining(reason);
    }
}
