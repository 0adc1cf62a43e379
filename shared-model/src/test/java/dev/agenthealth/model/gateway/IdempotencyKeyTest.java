package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("SN-07")
class IdempotencyKeyTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ' ',
            value = {
                "\"8e03978e-40d5-43e8-bc93-6894a57f9324\" 8e03978e-40d5-43e8-bc93-6894a57f9324",
                "8e03978e-40d5-43e8-bc93-6894a57f9324 8e03978e-40d5-43e8-bc93-6894a57f9324",
                "a a",
                "\"a,b;c\" a,b;c",
                "\"a\\\"b\\\\c\" a\"b\\c",
                "!#$%&'()*+-./0:<=>?@[]^_`` !#$%&'()*+-./0:<=>?@[]^_``",
                "AZaz{|}~ AZaz{|}~",
                "\"!~\" !~"
            })
    void a_key_is_read_with_and_without_quotation_marks(String header, String key) {
        assertThat(IdempotencyKey.ofHeader(header)).contains(new IdempotencyKey(key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\"\"",
                "\"",
                "\"a",
                "a\"",
                "a b",
                "\"a b\"",
                "a,b",
                "\"a\", \"b\"",
                "\"a\",\"b\"",
                "a;b=1",
                "\"a\";b=1",
                "a\\b",
                "\"a\\b\"",
                "\"a\\\"",
                "ä",
                "\"ä\"",
                "a\tb",
                "a\u007f",
                "a\n",
                "\"a\"\n",
                "a\r\nb"
            })
    void everything_else_is_none(String header) {
        assertThat(IdempotencyKey.ofHeader(header)).isEmpty();
    }

    @Test
    void a_key_has_up_to_255_characters_however_they_are_written() {
        assertThat(IdempotencyKey.ofHeader("k".repeat(255))).isPresent();
        assertThat(IdempotencyKey.ofHeader("k".repeat(256))).isEmpty();
        assertThat(IdempotencyKey.ofHeader('"' + "\\\\".repeat(255) + '"'))
                .contains(new IdempotencyKey("\\".repeat(255)));
        assertThat(IdempotencyKey.ofHeader('"' + "k".repeat(256) + '"')).isEmpty();
        assertThat(IdempotencyKey.ofHeader('"' + "k".repeat(100_000) + '"'))
                .as("and none is too long to be refused")
                .isEmpty();
    }
}
