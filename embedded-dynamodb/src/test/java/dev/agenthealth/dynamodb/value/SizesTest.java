package dev.agenthealth.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class SizesTest {

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 2", "12, 2", "123, 3", "1000, 2", "-1, 3", "-123, 4", "1.5, 3", "0.001, 3", "-1.5, 4"})
    void number_has_a_byte_per_two_digits_and_one_more(String number, int size) {
        assertThat(Sizes.of(AttributeValue.fromN(number))).isEqualTo(size);
    }

    @Test
    void collections_have_three_bytes_and_one_per_element() {
        AttributeValue text = AttributeValue.fromS("abc");

        assertThat(Sizes.of(AttributeValue.fromL(List.of(text, text)))).isEqualTo(3 + 2 * 4);
        assertThat(Sizes.of(AttributeValue.fromM(Map.of("k", text)))).isEqualTo(3 + 1 + 4);
        assertThat(Sizes.of(AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("ab")))))
                .isEqualTo(3 + 3);
    }

    @Test
    void item_has_the_size_of_its_names_and_values() {
        assertThat(Sizes.item(Map.of(
                        "name", AttributeValue.fromS("\u00E9"),
                        "flag", AttributeValue.fromBool(true),
                        "b", AttributeValue.fromB(SdkBytes.fromUtf8String("xy")))))
                .isEqualTo(4 + 2 + 4 + 1 + 1 + 2);
    }

    @Property
    void text_has_the_size_of_its_bytes_in_utf_8(@ForAll String text) {
        assertThat(Sizes.utf8(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\u007f",
                "\u0080",
                "\u07ff",
                "\u0800",
                "\uffff",
                "\ud83d\ude00",
                "\ud83d\ude00a",
                "a\ud83d",
                "\ud83da",
                "\ude00",
                "\ude00\ud83d",
                "\ud83d\ud83d\ude00"
            })
    void each_length_of_a_character_counts(String text) {
        assertThat(Sizes.utf8(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
}
