package dev.agenthealth.functions.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts of short trees, which are written without a generator. */
@Tag("SYS-01")
class PlainJsonTest {

    private static final ObjectMapper JACKSON = new ObjectMapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\":{},\"b\":[],\"c\":[[],{}],\"\":\"\"}",
                "{\"a\":true,\"b\":false,\"c\":-9223372036854775808,\"d\":0,\"e\":[1,\"x\",[2]]}",
                "[\"~ !#$%&'()*+,-./:;<=>?@[]^_`{|}\"]"
            })
    void a_tree_has_the_text_of_a_generator_without_one(String text) throws JsonProcessingException {
        StringBuilder plain = new StringBuilder();
        assertThat(PlainJson.append(plain, JACKSON.readTree(text))).isTrue();
        assertThat(plain).hasToString(text).hasToString(JACKSON.writeValueAsString(JACKSON.readTree(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":\"\\\"\"}",
                "{\"a\":\"\\\\\"}",
                "{\"\\n\":1}",
                "[\"\\u0000\",\"\\u001F\",\"\u007f\",\"é\",\"\uD83D\uDE00\"]",
                "[null]",
                "[1.50]",
                "[12345678901234567890]",
            })
    void a_generator_writes_all_other_texts_and_numbers(String text) throws JsonProcessingException {
        assertThat(PlainJson.append(new StringBuilder(), Json.stored(text))).isFalse();
        assertThat(Json.text(Json.stored(text))).isEqualTo(text);
    }

    @Test
    void a_generator_writes_a_long_tree() {
        ObjectNode object = Json.object();
        for (int i = 0; i < 1_000; i++) {
            object.put("field_" + i, i);
        }
        assertThat(PlainJson.append(new StringBuilder(), object)).isFalse();
        assertThat(Json.stored(Json.text(object))).isEqualTo(object);
    }
}
