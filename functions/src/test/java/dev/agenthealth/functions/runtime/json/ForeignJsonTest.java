package dev.agenthealth.functions.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What documents of other systems may contain, although requests may not. */
class ForeignJsonTest {

    @Test
    void the_last_value_of_a_repeated_name_counts() {
        String text = "{\"name\":\"a\",\"name\":\"b\"}";
        assertThat(ForeignJson.read(text).path("name").textValue()).isEqualTo("b");
        assertThatExceptionOfType(UnreadableJsonException.class).isThrownBy(() -> Json.received(text));
    }

    @Test
    void text_after_the_document_is_ignored() {
        assertThat(ForeignJson.read("{\"name\":\"a\"} {").path("name").textValue())
                .isEqualTo("a");
    }

    @Test
    void nesting_is_limited_by_the_library_alone() {
        assertThat(ForeignJson.read("[".repeat(500) + "]".repeat(500))).hasSize(1);
        assertThatExceptionOfType(UnreadableJsonException.class)
                .isThrownBy(() -> ForeignJson.read("[".repeat(5_000) + "]".repeat(5_000)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "<html>", "{'a':1}", "NaN"})
    void anything_else_that_is_not_json_is_unreadable(String text) {
        assertThatExceptionOfType(UnreadableJsonException.class).isThrownBy(() -> ForeignJson.read(text));
    }

    @Test
    void an_empty_text_is_a_missing_node() {
        assertThat(ForeignJson.read("").isMissingNode()).isTrue();
    }
}
