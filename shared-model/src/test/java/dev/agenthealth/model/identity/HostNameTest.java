package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("AHS-01")
class HostNameTest {

    private static final String LABEL = "a".repeat(63);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "0",
                "localhost",
                "agents.example.com",
                "xn--bcher-kva.example",
                "127.0.0.1",
                "a-b.c-d",
                "a--b"
            })
    void a_name_is_made_of_labels(String name) {
        assertThat(HostName.isValid(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a_b", "a b", "A", "ä", "a:1", "[::1]", "*.a", "a/b"
            })
    void anything_else_is_none(String name) {
        assertThat(HostName.isValid(name)).isFalse();
    }

    @Test
    void labels_and_names_have_a_longest() {
        String longest = LABEL + "." + LABEL + "." + LABEL + "." + "a".repeat(61);
        assertThat(longest).hasSize(HostName.MAX_LENGTH);
        assertThat(HostName.isValid(longest)).isTrue();
        assertThat(HostName.isValid(longest + "a")).isFalse();
        assertThat(HostName.isValid(LABEL + "a")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Agents.Example.COM,agents.example.com",
        "agents.example.com:443,agents.example.com",
        "localhost:8080,localhost",
        "Agents.example.com.,agents.example.com",
        "agents.example.com.:443,agents.example.com",
        "a..,a..",
        ".,.",
        "'',''",
        "[::1]:80,[",
        ":443,''",
        "AZaz.example,azaz.example",
        "[@],[@]",
        "\u212Aelvin,\u212Aelvin"
    })
    void case_port_and_final_dot_make_no_other_host(String given, String normalized) {
        assertThat(HostName.normalized(given)).isEqualTo(normalized);
    }
}
