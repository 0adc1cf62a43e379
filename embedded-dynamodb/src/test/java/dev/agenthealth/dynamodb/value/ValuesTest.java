package dev.agenthealth.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

class ValuesTest {

    private static final AttributeValue ONE = AttributeValue.fromN("1");

    @Test
    void value_in_normal_form_is_returned_as_it_is() {
        AttributeValue value = AttributeValue.fromM(Map.of("list", AttributeValue.fromL(List.of(ONE, text("a")))));

        assertThat(Values.normalized(value)).isSameAs(value);
    }

    @Test
    void item_in_normal_form_is_returned_as_it_is() {
        Map<String, AttributeValue> item = Map.of("a", ONE);

        assertThat(Values.normalized(item)).isSameAs(item);
    }

    @Test
    void nested_number_gets_its_normal_form() {
        AttributeValue value =
                AttributeValue.fromM(Map.of("list", AttributeValue.fromL(List.of(AttributeValue.fromN("01.0"), ONE))));

        assertThat(Values.normalized(value))
                .isEqualTo(AttributeValue.fromM(Map.of("list", AttributeValue.fromL(List.of(ONE, ONE)))));
    }

    @Test
    void empty_text_binary_list_and_map_are_valid() {
        for (AttributeValue value : List.of(
                text(""),
                AttributeValue.fromB(bytes("")),
                AttributeValue.fromL(List.of()),
                AttributeValue.fromM(Map.of()))) {
            assertThat(Values.normalized(value)).isSameAs(value);
        }
    }

    @Test
    void value_without_a_type_is_refused() {
        assertInvalid(AttributeValue.builder().build(), "Supplied AttributeValue is empty");
    }

    @Test
    void value_with_two_types_is_refused() {
        assertInvalid(AttributeValue.builder().s("a").n("1").build(), "more than one datatypes set");
    }

    @Test
    void empty_set_is_refused() {
        assertInvalid(AttributeValue.fromBs(List.of()), "Binary sets should not be empty");
    }

    @Test
    void set_with_duplicates_is_refused() {
        assertInvalid(AttributeValue.fromBs(List.of(bytes("a"), bytes("a"))), "contains duplicates");
    }

    @Test
    void member_of_a_map_without_a_name_is_refused() {
        assertInvalid(AttributeValue.fromM(Map.of("", ONE)), "Empty attribute name");
    }

    @Test
    void value_may_nest_32_levels_and_no_more() {
        assertThat(Values.normalized(nested(32))).isEqualTo(nested(32));
        assertInvalid(nested(33), "Nesting Levels have exceeded supported limits");
    }

    @Test
    void attribute_of_an_item_may_nest_31_levels_and_no_more() {
        assertThat(Values.normalized(Map.of("a", nested(31)))).hasSize(1);
        assertThatThrownBy(() -> Values.normalized(Map.of("a", nested(32)))).isInstanceOf(DynamoDbException.class);
    }

    static List<AttributeValue> unsupportedTypes() {
        return List.of(
                AttributeValue.fromNul(true), AttributeValue.fromSs(List.of("a")), AttributeValue.fromNs(List.of("1")));
    }

    @ParameterizedTest
    @MethodSource("unsupportedTypes")
    void value_of_another_type_is_unsupported(AttributeValue value) {
        assertThatThrownBy(() -> Values.normalized(value)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void sets_and_maps_are_equal_regardless_of_order() {
        assertThat(Values.equal(
                        AttributeValue.fromBs(List.of(bytes("a"), bytes("b"))),
                        AttributeValue.fromBs(List.of(bytes("b"), bytes("a")))))
                .isTrue();
        assertThat(Values.equal(
                        AttributeValue.fromBs(List.of(bytes("a"), bytes("b"))),
                        AttributeValue.fromBs(List.of(bytes("b"), bytes("c")))))
                .isFalse();
        assertThat(Values.equal(
                        AttributeValue.fromM(Map.of("a", ONE, "b", text("x"))),
                        AttributeValue.fromM(Map.of("b", text("x"), "a", ONE))))
                .isTrue();
    }

    @Test
    void lists_are_equal_in_the_same_order_only() {
        AttributeValue list = AttributeValue.fromL(List.of(ONE, text("a")));

        assertThat(Values.equal(list, AttributeValue.fromL(List.of(ONE, text("a")))))
                .isTrue();
        assertThat(Values.equal(list, AttributeValue.fromL(List.of(text("a"), ONE))))
                .isFalse();
    }

    @Test
    void collections_with_other_elements_are_not_equal() {
        AttributeValue list = AttributeValue.fromL(List.of(ONE, text("a")));
        assertThat(Values.equal(list, AttributeValue.fromL(List.of(ONE)))).isFalse();
        assertThat(Values.equal(AttributeValue.fromL(List.of(ONE)), list)).isFalse();
        assertThat(Values.equal(list, AttributeValue.fromL(List.of(ONE, text("b")))))
                .isFalse();
        AttributeValue map = AttributeValue.fromM(Map.of("x", ONE));
        assertThat(Values.equal(map, AttributeValue.fromM(Map.of("y", ONE)))).isFalse();
        assertThat(Values.equal(map, AttributeValue.fromM(Map.of("x", text("1")))))
                .isFalse();
        assertThat(Values.equal(map, AttributeValue.fromM(Map.of("x", ONE, "y", ONE))))
                .isFalse();
        assertThat(Values.equal(AttributeValue.fromM(Map.of("x", ONE, "y", ONE)), map))
                .isFalse();
    }

    @Test
    void large_sets_are_equal_regardless_of_order_too() {
        List<SdkBytes> elements = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            elements.add(bytes("element-" + i));
        }
        AttributeValue set = AttributeValue.fromBs(List.copyOf(elements));
        Collections.reverse(elements);
        assertThat(Values.equal(set, AttributeValue.fromBs(List.copyOf(elements))))
                .isTrue();
        elements.set(7, bytes("other"));
        assertThat(Values.equal(set, AttributeValue.fromBs(elements))).isFalse();
    }

    @Test
    void a_name_has_at_most_65535_bytes() {
        String longest = "x".repeat(65_535);
        assertThat(Values.normalized(Map.of(longest, ONE))).containsOnlyKeys(longest);
        for (String tooLong : List.of(longest + "x", "\u00e9".repeat(32_768), "\u20ac".repeat(21_846))) {
            assertThatThrownBy(() -> Values.normalized(Map.of(tooLong, ONE)))
                    .isInstanceOf(DynamoDbException.class)
                    .hasMessageContaining("Attribute name is too large");
        }
    }

    @Test
    void values_of_different_types_are_neither_equal_nor_ordered() {
        assertThat(Values.equal(ONE, text("1"))).isFalse();
        assertThat(Values.compare(ONE, text("1"))).isEmpty();
    }

    @Test
    void booleans_have_no_order() {
        assertThat(Values.compare(AttributeValue.fromBool(true), AttributeValue.fromBool(false)))
                .isEmpty();
    }

    @Test
    void binaries_are_ordered_by_unsigned_bytes() {
        AttributeValue low = AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {1}));
        AttributeValue high = AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {(byte) 0x80}));

        assertThat(Values.compare(low, high).getAsInt()).isNegative();
    }

    @Property
    void texts_are_ordered_by_their_bytes_in_utf_8(@ForAll("texts") String one, @ForAll("texts") String other) {
        int expected =
                Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

        assertThat(Integer.signum(Values.compareTexts(one, other))).isEqualTo(Integer.signum(expected));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(
                        "a",
                        "b",
                        "\u00E9",
                        "\u07FF",
                        "\u0800",
                        "\uD7FF",
                        "\uE000",
                        "\uFF5E",
                        "\uD83D\uDE00",
                        "\uD83D\uDE01")
                .list()
                .ofMaxSize(4)
                .map(parts -> String.join("", parts));
    }

    private static void assertInvalid(AttributeValue value, String message) {
        assertThatThrownBy(() -> Values.normalized(value))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining(message);
    }

    private static AttributeValue nested(int levels) {
        AttributeValue value = ONE;
        for (int i = 0; i < levels; i++) {
            value = AttributeValue.fromL(List.of(value));
        }
        return value;
    }

    private static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    private static SdkBytes bytes(String text) {
        return SdkBytes.fromUtf8String(text);
    }
}
