package dev.agenthealth.functions.runtime.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads environment variables by their declarations. */
@Tag("SYS-03")
class SettingTest {

    private static final String DAYS = "EVENT_RETENTION_DAYS";

    private static Wiring with(String name, String value) {
        return Wiring.of(Map.of(name, value)).build();
    }

    @Test
    void a_required_variable_without_a_value_is_an_error_that_names_it() {
        for (Wiring wiring : new Wiring[] {Wiring.of(Map.of()).build(), with(DAYS, "")}) {
            assertThatThrownBy(() -> wiring.get(FunctionSettings.EVENT_RETENTION_DAYS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the environment variable EVENT_RETENTION_DAYS is not set");
            assertThat(wiring.find(FunctionSettings.EVENT_RETENTION_DAYS)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ninety", "9.5", " 90", "99999999999"})
    void text_is_no_number(String text) {
        assertThatThrownBy(() -> with(DAYS, text).get(FunctionSettings.EVENT_RETENTION_DAYS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the environment variable EVENT_RETENTION_DAYS is not a whole number");
    }

    @Test
    void a_variable_that_is_not_set_has_its_default() {
        assertThat(Wiring.of(Map.of()).build().get(FunctionSettings.WATCH_MIN_INTERVAL_SECONDS))
                .isEqualTo(60);
        assertThat(with("WATCH_MIN_INTERVAL_SECONDS", "10").get(FunctionSettings.WATCH_MIN_INTERVAL_SECONDS))
                .isEqualTo(10);
    }

    @ParameterizedTest
    @CsvSource({"true,true", "false,false", "TRUE,false", "1,false"})
    void only_true_is_true(String value, boolean expected) {
        assertThat(with("STREAMS", value).get(FunctionSettings.STREAMS)).isEqualTo(expected);
    }

    /** The key of an installation is not replaced by another key if its variable is empty. */
    @Test
    void a_variable_without_characters_is_there_but_has_no_value() {
        Wiring wiring = with("SECRETS_LOCAL_KEY", "");
        assertThat(wiring.has(FunctionSettings.SECRETS_LOCAL_KEY)).isTrue();
        assertThatThrownBy(() -> wiring.get(FunctionSettings.SECRETS_LOCAL_KEY))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void an_origin_has_no_slash_at_its_end() {
        assertThat(with("HEARTBEAT_URL", "https://url.example/").origin(FunctionSettings.HEARTBEAT_URL))
                .isEqualTo("https://url.example");
        assertThat(Wiring.of(Map.of()).build().origin(FunctionSettings.HEARTBEAT_URL))
                .isEmpty();
    }
}
