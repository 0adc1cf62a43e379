package dev.agenthealth.dynamodb.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items as they are stored: data folders of earlier versions have them. */
class ItemBytesTest {

    private static final HexFormat HEX = HexFormat.of();

    static Stream<Arguments> values() {
        AttributeValue yes = AttributeValue.fromBool(true);
        return Stream.of(
                Arguments.of(AttributeValue.fromS("a\u00e9"), "010361c3a9", "cef48dfc"),
                Arguments.of(AttributeValue.fromN("-5"), "0209", "0c6d1938"),
                Arguments.of(AttributeValue.fromN("1.5"), "0303312e35", "6d9979dc"),
                Arguments.of(binary(0, 255), "040200ff", "ff9009b2"),
                Arguments.of(yes, "05", "d7bc29ed"),
                Arguments.of(AttributeValue.fromBool(false), "06", "c4ecda19"),
                Arguments.of(AttributeValue.fromL(List.of(yes)), "070105", "7b31cef6"),
                Arguments.of(AttributeValue.fromM(Map.of("k", yes)), "0801016b05", "5c9011b8"),
                Arguments.of(AttributeValue.fromBs(List.of(binary(7).b())), "09010107", "2f889ea1"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void a_value_has_its_tag_its_bytes_and_the_checksum_behind_it(AttributeValue value, String bytes, String checksum) {
        byte[] stored = ItemBytes.write(Map.of("x", value), 9);
        assertThat(HEX.formatHex(stored)).isEqualTo("09010178" + bytes + checksum);
        assertThat(ItemBytes.read(stored)).isEqualTo(Map.of("x", value));
        assertThat(ItemBytes.size(stored)).isEqualTo(9);
    }

    @Test
    void numbers_of_several_bytes_begin_with_the_last_bits() {
        byte[] stored = ItemBytes.write(Map.of("n", AttributeValue.fromN("-200")), 300);
        assertThat(HEX.formatHex(stored)).isEqualTo("ac0201016e028f03df2ff1e0");
        assertThat(ItemBytes.size(stored)).isEqualTo(300);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "63",
                "64",
                "-64",
                "-65",
                "8191",
                "8192",
                "999999999999999999",
                "-99999999999999999",
                "-999999999999999999",
                "1000000000000000000",
                "9223372036854775808",
                "12345678901234567890123456789012345678",
                "0.5",
                "-0.000001"
            })
    void a_number_is_read_as_it_was_written(String number) {
        Map<String, AttributeValue> item = Map.of("n", AttributeValue.fromN(number));
        assertThat(ItemBytes.read(ItemBytes.write(item, 1))).isEqualTo(item);
    }

    @Test
    void an_item_that_is_larger_than_expected_is_written_whole() {
        Map<String, AttributeValue> item = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            item.put("name-" + i, AttributeValue.fromS("\u20ac".repeat(i)));
            item.put(
                    "set-" + i,
                    AttributeValue.fromBs(List.of(binary(i).b(), binary(i, i).b())));
        }
        byte[] stored = ItemBytes.write(item, 0);
        assertThat(ItemBytes.read(stored)).isEqualTo(item);
    }

    static Stream<List<AttributeValue>> lists() {
        return Stream.of(
                Collections.nCopies(500, AttributeValue.fromBool(true)),
                Collections.nCopies(500, AttributeValue.fromN("-999999999999999999")),
                Collections.nCopies(500, AttributeValue.fromS("")),
                List.of(AttributeValue.fromB(SdkBytes.fromByteArray(new byte[5_000]))),
                List.of(AttributeValue.fromS("x".repeat(5_000))));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void there_is_room_for_every_kind_of_value(List<AttributeValue> list) {
        Map<String, AttributeValue> item = Map.of("l", AttributeValue.fromL(list));
        assertThat(ItemBytes.read(ItemBytes.write(item, 0))).isEqualTo(item);
    }

    @ParameterizedTest
    @CsvSource({
        "10, 2",
        "-19, 2",
        "999999999999999999, 2",
        "-99999999999999999, 2",
        "-999999999999999999, 3",
        "1000000000000000000, 3",
        "0.5, 3"
    })
    void a_whole_number_of_18_characters_is_stored_as_one(String number, int tag) {
        assertThat(ItemBytes.write(Map.of("n", AttributeValue.fromN(number)), 1)[4])
                .isEqualTo((byte) tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u007f", "\u0080", "a\u0000b", "\ud83d\ude00"})
    void a_text_is_read_as_it_was_written(String text) {
        Map<String, AttributeValue> item = Map.of("s", AttributeValue.fromS(text));
        assertThat(ItemBytes.read(ItemBytes.write(item, 1))).isEqualTo(item);
    }

    @Test
    void each_damaged_byte_and_each_missing_end_is_found() {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("pk", AttributeValue.fromS("agent-1"));
        item.put("n", AttributeValue.fromN("123456"));
        item.put("l", AttributeValue.fromL(List.of(AttributeValue.fromBool(true), binary(1, 2, 3))));
        byte[] stored = ItemBytes.write(item, 40);
        for (int i = 0; i < stored.length; i++) {
            byte[] damaged = stored.clone();
            damaged[i] ^= 1;
            assertDamaged(damaged);
        }
        for (int length = 0; length < stored.length; length++) {
            if (length != stored.length - Integer.BYTES) {
                assertDamaged(Arrays.copyOf(stored, length));
            }
        }
        assertDamaged(Arrays.copyOf(stored, stored.length + 1));
    }

    @Test
    void an_item_without_a_checksum_is_of_an_earlier_version() {
        Map<String, AttributeValue> item = Map.of("pk", AttributeValue.fromS("agent-1"));
        byte[] stored = ItemBytes.write(item, 9);
        assertThat(ItemBytes.read(Arrays.copyOf(stored, stored.length - Integer.BYTES)))
                .isEqualTo(item);
    }

    private static void assertDamaged(byte[] bytes) {
        assertThatThrownBy(() -> ItemBytes.read(bytes))
                .as(HEX.formatHex(bytes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a stored item");
    }

    private static AttributeValue binary(int... bytes) {
        byte[] array = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            array[i] = (byte) bytes[i];
        }
        return AttributeValue.fromB(SdkBytes.fromByteArray(array));
    }
}
