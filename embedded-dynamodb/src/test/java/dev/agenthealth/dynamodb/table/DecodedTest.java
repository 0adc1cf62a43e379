package dev.agenthealth.dynamodb.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cache of objects that were decoded from a few bytes. */
class DecodedTest {

    private final Decoded<String> cache = new Decoded<>(7);

    @Test
    void different_bytes_have_different_codes() {
        Set<Long> codes = new HashSet<>();
        byte[] bytes = new byte[7];
        int number = 0;
        for (int length = 0; length <= 7; length++) {
            for (int at = 0; at < length; at++) {
                for (int value = 1; value < 256; value++) {
                    bytes[at] = (byte) value;
                    codes.add(cache.code(bytes, 0, length));
                    number++;
                }
                bytes[at] = 0;
            }
            codes.add(cache.code(bytes, 0, length));
            number++;
        }
        assertThat(codes).hasSize(number).doesNotContain(0L);
    }

    @Test
    void an_object_is_found_by_its_bytes_until_another_object_takes_its_place() {
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = Integer.toString(i).getBytes();
            assertThat(cache.find(cache.code(bytes, 0, bytes.length))).isNull();
            cache.keep(cache.code(bytes, 0, bytes.length), "object " + i);
            assertThat(cache.find(cache.code(bytes, 0, bytes.length))).isEqualTo("object " + i);
        }
    }

    @Test
    void more_bytes_than_the_maximum_are_not_kept() {
        long code = cache.code(new byte[8], 0, 8);
        assertThat(cache.keep(code, "long")).isEqualTo("long");
        assertThat(cache.find(code)).isNull();
    }
}
