package dev.agenthealth.dynamodb.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.dynamodb.value.Sizes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class StoredItemTest {

    private static final List<String> NAMES = List.of("a", "ab", "abc", "b", "\u00e9", "\u00e9a", "\ud83d\ude00", "id");

    private static AttributeValue n(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    private static byte[] stored(Map<String, AttributeValue> item) {
        return ItemBytes.write(item, Sizes.item(item));
    }

    private static StoredItem read(byte[] stored) {
        return (StoredItem) StoredItem.of(stored);
    }

    private static AttributeValue value(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> n(random.nextInt(100_000) - 50_000);
            case 1 -> AttributeValue.fromS("text \u00e9 " + random.nextInt(1_000));
            case 2 -> AttributeValue.fromB(SdkBytes.fromByteArray(new byte[random.nextInt(5)]));
            case 3 -> AttributeValue.fromBool(random.nextBoolean());
            case 4 -> AttributeValue.fromL(List.of(n(1), AttributeValue.fromS("x")));
            default -> AttributeValue.fromM(Map.of("k", n(random.nextInt(3))));
        };
    }

    @RepeatedTest(200)
    void changes_have_the_same_effect_as_on_a_decoded_item(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Map<String, AttributeValue> before = new HashMap<>();
        for (String name : NAMES) {
            if (random.nextBoolean()) {
                before.put(name, value(random));
            }
        }
        byte[] bytes = stored(before);
        StoredItem item = read(bytes);
        StoredItem changed = item.copy();
        Map<String, AttributeValue> expected = new HashMap<>(before);
        for (int i = random.nextInt(6); i > 0; i--) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            if (random.nextInt(3) > 0) {
                AttributeValue value = value(random);
                assertThat(changed.put(name, value)).isEqualTo(expected.put(name, value));
            } else {
                assertThat(changed.remove(name)).isEqualTo(expected.remove(name));
            }
        }

        for (String name : NAMES) {
            assertThat(changed.containsKey(name)).isEqualTo(expected.containsKey(name));
            assertThat(changed.get(name)).isEqualTo(expected.get(name));
        }
        assertThat(changed.isSame(item)).isEqualTo(expected.equals(before));
        assertThat(ItemBytes.size(changed)).isEqualTo(Sizes.item(expected));
        assertThat(ItemBytes.read(ItemBytes.write(changed))).isEqualTo(expected);
        assertThat(changed).isEqualTo(expected).hasSize(expected.size());
        assertThat(item).isEqualTo(before);
        assertThat(ItemBytes.write(item)).isSameAs(bytes);
    }

    @Test
    void a_changed_copy_does_not_decode_other_attributes() {
        AttributeValue text = AttributeValue.fromS("text");
        byte[] bytes = stored(Map.of("n", n(1), "text", text));
        StoredItem changed = read(bytes).copy();
        changed.put("n", n(2));
        // The copy has only the bytes of the other attribute, so that it takes their change over.
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 'x') {
                bytes[i] = 'X';
            }
        }
        assertThat(ItemBytes.read(ItemBytes.write(changed)))
                .containsOnlyKeys("n", "teXt")
                .containsEntry("teXt", AttributeValue.fromS("teXt"));
    }

    @Test
    void an_item_with_many_attributes_is_decoded_as_a_whole() {
        Map<String, AttributeValue> item = new HashMap<>();
        for (int i = 0; i < StoredItem.MAX_ATTRIBUTES; i++) {
            item.put("n" + i, n(i));
        }
        assertThat(StoredItem.of(stored(item))).isInstanceOf(StoredItem.class).isEqualTo(item);
        item.put("more", n(0));
        assertThat(StoredItem.of(stored(item)))
                .isNotInstanceOf(StoredItem.class)
                .isEqualTo(item);
    }

    @Test
    void damaged_bytes_are_refused() {
        byte[] bytes = stored(Map.of("n", n(300), "text", AttributeValue.fromS("text")));
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 1;
            assertThatThrownBy(() -> StoredItem.of(damaged)).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> StoredItem.of(new byte[] {1})).isInstanceOf(IllegalStateException.class);
    }
}
