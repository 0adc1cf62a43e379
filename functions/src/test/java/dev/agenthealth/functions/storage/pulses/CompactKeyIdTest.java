package dev.agenthealth.functions.storage.pulses;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The id of an owner on a row: short, and read as it was written. */
class CompactKeyIdTest {

    @ParameterizedTest
    @CsvSource({
        "key_01ARZ3NDEKTSV4RRFFQ69G5FAV, 16, ",
        "key_01arz3ndektsv4rrffq69g5fav, , key_01arz3ndektsv4rrffq69g5fav",
        "key_01ARZ3NDEKTSV4RRFFQ69G5FA, , key_01ARZ3NDEKTSV4RRFFQ69G5FA",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV, , 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "person_0123456789abcdef0123, 10, ",
        "person_0123456789ABCDEF0123, , person_0123456789ABCDEF0123",
        "person_0123456789abcdef012, , person_0123456789abcdef012",
        "workload_deployment, , _deployment",
        "administrator, , administrator"
    })
    void an_id_is_stored_short_and_read_back(String keyId, Integer bytes, String text) {
        AttributeValue stored = CompactKeyId.of(keyId);
        if (bytes == null) {
            assertThat(stored.s()).isEqualTo(text);
        } else {
            assertThat(stored.b().asByteArray()).hasSize(bytes);
        }
        Map<String, AttributeValue> item = new HashMap<>();
        CompactKeyId.put(item, "k", keyId);
        assertThat(item).isEqualTo(Map.of("k", stored));
        assertThat(CompactKeyId.read(item, "k")).isEqualTo(keyId);
    }

    @Test
    void no_id_is_not_stored() {
        Map<String, AttributeValue> item = new HashMap<>();
        CompactKeyId.put(item, "k", "");
        assertThat(item).isEmpty();
        assertThat(CompactKeyId.read(item, "k")).isEmpty();
    }
}
