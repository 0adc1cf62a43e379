package dev.agenthealth.dynamodb.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.dynamodb.value.Values;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Keys as they are stored: data folders of earlier versions have them. */
class KeysTest {

    private static final HexFormat HEX = HexFormat.of();
    private static final KeySchema BOTH = new KeySchema(
            List.of(new KeyAttribute("pk", ScalarAttributeType.S), new KeyAttribute("sk", ScalarAttributeType.B)));

    @ParameterizedTest
    @CsvSource({
        "6167656e742d31, 7ff6bb9a0007",
        "0080ff, c61bf1d60003",
        "c3bc, c15d99c60002",
    })
    void a_partition_has_the_hash_and_the_length_of_its_value_before_it(String value, String before) {
        AttributeValue binary = AttributeValue.fromB(SdkBytes.fromByteArray(HEX.parseHex(value)));
        assertThat(HEX.formatHex(Keys.partition(binary))).isEqualTo(before + value);
    }

    @Example
    void a_long_value_has_its_length_in_two_bytes() {
        byte[] key = Keys.partition(AttributeValue.fromS("x".repeat(300)));
        assertThat(HEX.formatHex(key)).startsWith("06e60072012c7878").hasSize(2 * (Keys.HASH_BYTES + 2 + 300));
    }

    @Example
    void a_key_is_that_of_the_partition_and_the_escaped_sort_key_with_its_end() {
        Map<String, AttributeValue> item = Map.of("pk", AttributeValue.fromS("agent-1"), "sk", binary(1, 0, 2));
        assertThat(HEX.formatHex(Keys.of(BOTH, item))).isEqualTo("7ff6bb9a00076167656e742d31" + "0100ff02" + "0000");
        KeySchema partitionOnly = new KeySchema(List.of(BOTH.partition()));
        assertThat(Keys.of(partitionOnly, item)).isEqualTo(Keys.partition(item.get("pk")));
    }

    @ParameterizedTest
    @CsvSource({"01, 01", "00, 00ff", "0000, 00ff00ff", "0100, 0100ff", "ff00ff, ff00ffff"})
    void each_zero_of_a_sort_key_is_escaped(String value, String key) {
        AttributeValue binary = AttributeValue.fromB(SdkBytes.fromByteArray(HEX.parseHex(value)));
        assertThat(HEX.formatHex(Keys.sort(binary))).isEqualTo(key);
    }

    @Property
    void keys_of_a_partition_are_in_the_order_of_their_sort_keys(
            @ForAll @Size(max = 4) byte[] one, @ForAll @Size(max = 4) byte[] other) {
        AttributeValue first = AttributeValue.fromB(SdkBytes.fromByteArray(one));
        AttributeValue second = AttributeValue.fromB(SdkBytes.fromByteArray(other));
        int order = Arrays.compareUnsigned(Keys.ended(Keys.sort(first)), Keys.ended(Keys.sort(second)));
        assertThat(Integer.signum(order))
                .isEqualTo(Integer.signum(Values.compare(first, second).orElseThrow()));
    }

    @Property
    void what_begins_with_a_prefix_is_before_what_is_behind_it(
            @ForAll @Size(min = 1, max = 3) byte[] prefix, @ForAll @Size(max = 3) byte[] rest) {
        prefix[0] = (byte) Math.min(prefix[0] & 0xff, 0xfe);
        byte[] behind = Keys.behind(prefix);
        assertThat(Arrays.compareUnsigned(Keys.concat(prefix, rest), behind)).isNegative();
        assertThat(Arrays.compareUnsigned(prefix, Keys.next(prefix))).isNegative();
    }

    @ParameterizedTest
    @CsvSource({"0102, 0103", "01ff, 02", "00, 01", "fe, ff", "ff, ffffffffffff", "ffff, ffffffffffff"})
    void behind_a_prefix_is_the_next_one(String prefix, String behind) {
        assertThat(HEX.formatHex(Keys.behind(HEX.parseHex(prefix)))).isEqualTo(behind);
    }

    @Example
    void the_next_key_is_the_first_behind_it() {
        assertThat(HEX.formatHex(Keys.next(HEX.parseHex("01ff")))).isEqualTo("01ff00");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 00000000",
        "1, 1, ffffffffffff",
        "0, 4, 00000000",
        "1, 4, 40000000",
        "3, 4, c0000000",
        "4, 4, ffffffffffff",
        "1, 3, 55555556",
        "2, 3, aaaaaaab",
        "1, 1000000, 000010c7",
    })
    void segments_share_the_hashes(int segment, int total, String first) {
        assertThat(HEX.formatHex(Keys.ofSegment(segment, total))).isEqualTo(first);
    }

    @Property
    void each_partition_is_in_one_segment(@ForAll String partition, @ForAll @IntRange(min = 1, max = 50) int total) {
        byte[] key = Keys.partition(AttributeValue.fromS(partition));
        int found = 0;
        for (int segment = 0; segment < total; segment++) {
            boolean within = Arrays.compareUnsigned(Keys.ofSegment(segment, total), key) <= 0
                    && Arrays.compareUnsigned(key, Keys.ofSegment(segment + 1, total)) < 0;
            found += within ? 1 : 0;
        }
        assertThat(found).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "pk, 0, false",
        "pk, 1, true",
        "pk, 2048, true",
        "pk, 2049, false",
        "sk, 0, false",
        "sk, 1, true",
        "sk, 1024, true",
        "sk, 1025, false",
    })
    void the_parts_of_a_key_have_a_longest_size(String attribute, int bytes, boolean fits) {
        KeyAttribute part = BOTH.attributes().get(attribute.equals("pk") ? 0 : 1);
        assertThat(BOTH.fits(part, bytes)).isEqualTo(fits);
    }

    private static AttributeValue binary(int... bytes) {
        byte[] array = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            array[i] = (byte) bytes[i];
        }
        return AttributeValue.fromB(SdkBytes.fromByteArray(array));
    }
}
