package dev.agenthealth.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R16-25")
class IdsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "Z",
                "0",
                "9lives",
                "agent_billing_01",
                "agent_01KAGG0000000000000000000Z",
                "billing-processor",
                "did:wba:example.com:agent",
                "a.b_c:d-e",
                "a..",
                "a--",
                "register"
            })
    void good_ids(String id) {
        assertThat(Ids.isValid(id)).isTrue();
    }

    static Stream<String> badIds() {
        return Stream.of(
                "",
                " ",
                " a",
                "a ",
                "a b",
                // what a path would take apart
                "/",
                "a/b",
                "../a",
                "a\\b",
                "a?b",
                "a#b",
                "a%2Fb",
                "a&b=c",
                "a;b",
                // a leading mark
                ".a",
                "_a",
                ":a",
                "-a",
                ".",
                "..",
                // what a log line or a quoted text would take apart
                "a\n",
                "\na",
                "a\r\nb",
                "a\tb",
                "a\u0000",
                "\u0000",
                "a\u001bb",
                "a\u007f",
                "a\"b",
                "a'b",
                "a<b>",
                "a{b}",
                "a$b",
                "a,b",
                "a+b",
                "a*",
                "a@b",
                "a|b",
                // letters and digits, but none of these: accents, full width, Cyrillic, Arabic, the Kelvin sign, long
                // s, dotless i
                "\u00e4",
                "ag\u00e9nt",
                "agent\uff11",
                "\u0430",
                "agent\u0663",
                "\u212a",
                "\u017f",
                "\u0131",
                "\u667a\u80fd\u4f53",
                "a\u200bb",
                "a\u202eb",
                "a\u00a0b",
                "a\ufeff",
                "\ud83e\udd16",
                "a\ud83e\udd16",
                "a\ud83e");
    }

    @ParameterizedTest
    @MethodSource("badIds")
    void no_ids(String id) {
        assertThat(Ids.isValid(id)).isFalse();
    }

    @ParameterizedTest(name = "{0} characters: {1}")
    @CsvSource({"1, true", "2, true", "63, true", "64, true", "65, false", "66, false", "10000, false"})
    void an_id_has_one_to_64_characters(int length, boolean valid) {
        assertThat(Ids.isValid("a".repeat(length))).isEqualTo(valid);
        assertThat(Ids.isValid("0" + "-".repeat(length - 1))).isEqualTo(valid);
    }

    @ParameterizedTest
    @CsvSource({
        "register, true",
        "Register, false",
        "registered, false",
        "register., false",
        "agent, false",
        "'', false"
    })
    void only_the_word_of_a_route_is_reserved(String id, boolean reserved) {
        assertThat(Ids.isReserved(id)).isEqualTo(reserved);
    }
}
