package dev.agenthealth.functions.storage.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of issued keys. */
@Tag("SYS-02")
class KeySecretTest {

    private static final String RANDOM = "abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJ_01234";

    @RepeatedTest(20)
    void issued_keys_have_the_form() {
        assertThat(KeySecret.hasForm(KeySecret.random())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ahk_",
                "ahk" + RANDOM + "x",
                "ahk_" + RANDOM + "5",
                " ahk_" + RANDOM,
                "ahk_=" + RANDOM,
                "AHK_" + RANDOM,
                "test-agent-key"
            })
    void other_keys_do_not(String key) {
        assertThat(KeySecret.hasForm("ahk_" + RANDOM)).isTrue();
        assertThat(KeySecret.hasForm(key)).isFalse();
        assertThat(KeySecret.hasForm("ahk_" + RANDOM.replace('-', '+'))).isFalse();
        assertThat(KeySecret.hasForm("ahk_" + RANDOM.replace('a', '\u00e4'))).isFalse();
    }
}
