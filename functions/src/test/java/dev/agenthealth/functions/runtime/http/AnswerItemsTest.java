package dev.agenthealth.functions.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The items of an answer: their text, and the end of the list at the maximum size. */
@Tag("SYS-02")
class AnswerItemsTest {

    private final ObjectNode answer = Json.object().put("before", 1);

    @Test
    void items_have_the_same_text_as_a_tree() {
        AnswerItems items = new AnswerItems(answer, "items");
        ObjectNode tree = Json.object().put("before", 1);
        ArrayNode expected = tree.putArray("items");
        for (int i = 0; i < 50; i++) {
            JsonNode item = item(i);
            assertThat(items.add(item)).isTrue();
            expected.add(item);
        }
        tree.put("after", true);
        answer.put("after", true);
        assertThat(items.size()).isEqualTo(50);
        assertThat(Json.text(answer)).isEqualTo(Json.text(tree));
        assertThat(Json.text(answer.get("items"))).isEqualTo(Json.text(expected));
    }

    @Test
    void lists_without_items_are_empty_arrays() {
        new AnswerItems(answer, "none").next("none_either");
        assertThat(Json.text(answer)).isEqualTo("{\"before\":1,\"none\":[],\"none_either\":[]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "\"\"\"\"\"\"", "\u00e9", "\u20ac", "\ud83d\ude00"})
    void the_list_ends_before_the_first_item_that_does_not_fit_and_may_go_on_with_a_smaller_one(String part) {
        JsonNode item = Json.object().put("text", part.repeat(10_000));
        long each = AnswerItems.sentBytes(Json.text(item)) + 1;
        AnswerItems items = new AnswerItems(answer, "first");
        items.add(item);
        items.next("second");
        int fit = 1;
        while (items.add(item)) {
            fit++;
        }
        assertThat(fit).isEqualTo((int) (AnswerItems.MAX_BYTES / each));
        JsonNode small = Json.object();
        if (AnswerItems.MAX_BYTES % each > 3) {
            assertThat(items.add(small)).isTrue();
            assertThat(Json.text(answer)).endsWith("\"},{}]}");
        }
        assertThat(AnswerItems.sentBytes(Json.text(answer))).isLessThan(AnswerItems.MAX_BYTES + 100);
        assertThat(Json.stored(Json.text(answer)).get("first")).hasSize(1);
    }

    @Test
    void the_first_item_always_fits() {
        JsonNode large = Json.object().put("text", "x".repeat(AnswerItems.MAX_BYTES));
        AnswerItems items = new AnswerItems(answer, "items");
        assertThat(items.add(large)).isTrue();
        assertThat(items.add(Json.object())).isFalse();
        assertThat(items.size()).isEqualTo(1);
        assertThat(Json.stored(Json.text(answer)).get("items")).isEqualTo(Json.stored("[" + Json.text(large) + "]"));
    }

    private static JsonNode item(int i) {
        ObjectNode item = Json.object().put("number", i).put("part", new BigDecimal("12.50"));
        item.putNull("nothing");
        item.putArray("list")
                .add("\ud83d\ude00 \"" + i + "\"\n\\")
                .add(List.of(1L, 2L).size());
        return i % 3 == 0 ? item.putObject("nested").put("text", "\u20ac".repeat(2_000)) : item;
    }
}
