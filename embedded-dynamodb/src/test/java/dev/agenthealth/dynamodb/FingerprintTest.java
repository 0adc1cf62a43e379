package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.table.ItemBytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

class FingerprintTest {

    private static AttributeValue text(String text) {
        return AttributeValue.fromS(text);
    }

    private static AttributeValue list(AttributeValue... elements) {
        return AttributeValue.fromL(List.of(elements));
    }

    private static AttributeValue binary(String text) {
        return AttributeValue.fromB(SdkBytes.fromUtf8String(text));
    }

    /** In the order of the arguments: a name and a value in turn. */
    private static Map<String, AttributeValue> map(Object... namesAndValues) {
        Map<String, AttributeValue> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], (AttributeValue) namesAndValues[i + 1]);
        }
        return map;
    }

    private static TransactWriteItem put(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName("Things").item(item))
                .build();
    }

    private static String fingerprint(List<TransactWriteItem> transaction) {
        Fingerprint fingerprint = new Fingerprint();
        for (TransactWriteItem element : transaction) {
            fingerprint.add(
                    element,
                    element.put() == null
                            ? new byte[0]
                            : ItemBytes.write(element.put().item()));
        }
        return fingerprint.text();
    }

    @Test
    void different_transactions_have_different_fingerprints() {
        List<List<TransactWriteItem>> transactions = new ArrayList<>();
        List<Map<String, AttributeValue>> items = List.of(
                map(),
                map("a", text("1")),
                map("b", text("1")),
                map("a", AttributeValue.fromN("1")),
                map("a", binary("1")),
                map("a", binary("2")),
                map("a", AttributeValue.fromBool(true)),
                map("a", AttributeValue.fromBool(false)),
                map("a", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("1")))),
                map("a", list(text("1"))),
                map("a", list(list(text("1")), text("2"))),
                map("a", list(list(text("1"), text("2")))),
                map("a", list(text("1"), text("2v0:3"))),
                map("a", list(text("1v0:2"), text("3"))),
                map("a", AttributeValue.fromM(map("b", text("1"))), "c", text("2")),
                map("a", AttributeValue.fromM(map("b", text("1"), "c", text("2")))));
        for (Map<String, AttributeValue> item : items) {
            transactions.add(List.of(put(item)));
            transactions.add(List.of(TransactWriteItem.builder()
                    .delete(delete -> delete.tableName("Things").key(item))
                    .build()));
        }
        transactions.add(List.of(put(map("a", text("1"))), put(map("b", text("1")))));
        transactions.add(List.of(put(map("b", text("1"))), put(map("a", text("1")))));

        assertThat(transactions.stream().map(FingerprintTest::fingerprint)).doesNotHaveDuplicates();
    }

    @Test
    void each_character_of_a_text_counts() {
        String text = "a text that is longer than eight bytes";
        List<String> fingerprints = new ArrayList<>();
        for (int length = 0; length <= text.length(); length++) {
            String start = text.substring(0, length);
            fingerprints.add(fingerprint(List.of(put(map("a", text(start))))));
            for (int i = 0; i < length; i++) {
                String changed = start.substring(0, i) + '~' + start.substring(i + 1);
                fingerprints.add(fingerprint(List.of(put(map("a", text(changed))))));
            }
        }

        assertThat(fingerprints).doesNotHaveDuplicates();
    }

    @Test
    void the_order_of_a_map_does_not_count() {
        Map<String, AttributeValue> item =
                map("b", text("1"), "a", AttributeValue.fromM(map("d", text("2"), "c", text("3"))));
        Map<String, AttributeValue> sorted =
                map("a", AttributeValue.fromM(new TreeMap<>(map("c", text("3"), "d", text("2")))), "b", text("1"));

        assertThat(fingerprint(List.of(put(item)))).isEqualTo(fingerprint(List.of(put(sorted))));
    }
}
