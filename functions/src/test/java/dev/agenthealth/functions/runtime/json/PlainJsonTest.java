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
                "[\"~ !#$%&'()*+,-./:;<=>?@[]^_`{|}\"]",
                "[null,{\"a\":null}]",
                "[0.5,-1.0E-5,1.0E10,0.0]"
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
                "[12345678901234567890]",
            })
    void a_generator_writes_all_other_texts_and_numbers(String text) throws JsonProcessingException {
        StringBuilder plain = new StringBuilder("before");
        assertThat(PlainJson.append(plain, Json.stored(text))).isFalse();
        assertThat(plain).hasToString("before");
        assertThat(Json.text(Json.stored(text))).isEqualTo(text);
    }

    @Test
    void a_decimal_number_keeps_its_digits() {
        StringBuilder plain = new StringBuilder();
        assertThat(PlainJson.append(plain, Json.stored("[1.50,0E-10,12.3E+40]")))
                .isTrue();
        assertThat(plain).hasToString("[1.50,0E-10,1.23E+41]");
    }

    @Test
    void texts_of_a_long_list_are_written_without_a_generator() {
        JsonTexts texts = new JsonTexts();
        for (int i = 0; i < 1_000; i++) {
            texts.add(Json.object().put("field", i).put("é", i));
        }
        ObjectNode object = Json.object().put("first", true);
        object.set("list", texts.array());
        object.put("last", "end");
        StringBuilder plain = new StringBuilder();
        assertThat(PlainJson.append(plain, object)).isTrue();
        assertThat(plain.toString())
                .startsWith("{\"first\":true,\"list\":[{\"field\":0,\"é\":0},{\"field\":1,\"é\":1},")
                .endsWith("\"é\":999}],\"last\":\"end\"}");
        object.put("last", "é");
        assertThat(PlainJson.append(new StringBuilder(), object)).isFalse();
        assertThat(Json.text(object)).isEqualTo(plain.toString().replace("end", "é"));
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
