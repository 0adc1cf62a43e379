package dev.agenthealth.dynamodb.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ItemReaderTest {

    private static final int ITEMS = 2_000;

    private final Random random = new Random(5);

    private static byte[] stored(Map<String, AttributeValue> item) {
        return ItemBytes.write(item, 7);
    }

    /** Returns an item with some of 400 attributes, which are more than the reader remembers. */
    private Map<String, AttributeValue> item(int number) {
        Map<String, AttributeValue> item = new HashMap<>();
        for (int i = random.nextInt(20); i > 0; i--) {
            item.put(number % 10 == 0 ? "a" + random.nextInt(400) : "b" + random.nextInt(20), value(2));
        }
        return item;
    }

    private AttributeValue value(int depth) {
        return switch (random.nextInt(depth == 0 ? 6 : 9)) {
            case 0 -> AttributeValue.fromS("t\u20ac".repeat(random.nextInt(3)));
            case 1 -> AttributeValue.fromN(Integer.toString(random.nextInt(5) - 2));
            case 2 -> AttributeValue.fromN("0.5");
            case 3 -> AttributeValue.fromB(bytes());
            case 4 -> AttributeValue.fromBool(random.nextBoolean());
            case 5 -> AttributeValue.fromBs(List.of(bytes()));
            case 6 -> AttributeValue.fromL(List.of(value(depth - 1), value(depth - 1)));
            case 7 -> AttributeValue.fromM(Map.of("k", value(depth - 1)));
            default -> AttributeValue.fromL(List.of());
        };
    }

    private SdkBytes bytes() {
        return SdkBytes.fromByteArray(new byte[] {(byte) random.nextInt(2)});
    }

    @Test
    void items_of_a_page_are_read_as_each_item_alone() {
        ItemReader reader = ItemReader.ofAll();
        for (int i = 0; i < ITEMS; i++) {
            byte[] stored = stored(item(i));
            assertThat(reader.read(stored)).isEqualTo(ItemBytes.read(stored));
        }
    }

    @Test
    void only_wanted_attributes_are_read() {
        Set<String> wanted = Set.of("a1", "a7", "b1", "b2", "b3");
        ItemReader reader = ItemReader.of(wanted);
        for (int i = 0; i < ITEMS; i++) {
            byte[] stored = stored(item(i));
            Map<String, AttributeValue> expected = ItemBytes.read(stored);
            expected.keySet().retainAll(wanted);
            assertThat(reader.read(stored)).isEqualTo(expected);
        }
    }

    @Test
    void equal_values_and_names_of_an_attribute_are_decoded_once() {
        ItemReader reader = ItemReader.ofAll();
        reader.read(stored(Map.of()));
        Map<String, AttributeValue> first = reader.read(
                stored(Map.of("role", AttributeValue.fromS("planner"), "id", AttributeValue.fromS("agent-1"))));
        Map<String, AttributeValue> second = reader.read(
                stored(Map.of("role", AttributeValue.fromS("planner"), "id", AttributeValue.fromS("agent-2"))));
        assertThat(second.get("role")).isSameAs(first.get("role"));
        assertThat(second.get("id").s()).isEqualTo("agent-2");
        assertThat(name(second)).isSameAs(name(first));
    }

    private static String name(Map<String, AttributeValue> item) {
        return item.keySet().stream()
                .filter(name -> name.equals("role"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void damage_is_found_in_attributes_that_nobody_wants_too() {
        byte[] stored = stored(Map.of(
                "id",
                AttributeValue.fromS("agent-1"),
                "list",
                AttributeValue.fromL(List.of(value(1), value(0), AttributeValue.fromBs(List.of(bytes())))),
                "map",
                AttributeValue.fromM(Map.of("k", AttributeValue.fromN("5")))));
        ItemReader reader = ItemReader.of(Set.of("id"));
        assertThat(reader.read(stored)).containsOnlyKeys("id");
        for (int i = 0; i < stored.length; i++) {
            byte[] damaged = stored.clone();
            damaged[i] ^= 1;
            assertDamaged(reader, damaged);
        }
        for (int length = 0; length < stored.length - Integer.BYTES; length++) {
            assertDamaged(reader, Arrays.copyOf(stored, length));
        }
        assertThat(reader.read(stored)).containsOnlyKeys("id");
    }

    private static void assertDamaged(ItemReader reader, byte[] bytes) {
        assertThatThrownBy(() -> reader.read(bytes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a stored item");
    }
}
