package dev.agenthealth.functions.storage.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Where spans of a full slice are kept. */
class SpanBucketTest {

    private static final Slice SLICE = new Slice(1_770_000_000, 1_800);
    private static final SdkBytes HASH = SdkBytes.fromByteArray(new byte[] {(byte) 0b11_10_01_00, 0b00_01_10_11});

    private static SpanBucket below(int depth, long millis) {
        SpanBucket bucket = SpanBucket.FIRST;
        for (int i = 0; i < depth; i++) {
            bucket = bucket.below(SLICE, Instant.ofEpochMilli(SLICE.start() * 1_000 + millis), HASH);
        }
        return bucket;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0,       5a0",
        "1, 449999,  5a0",
        "1, 450000,  5a1",
        "1, 900000,  5a2",
        "1, 1799999, 5a3",
        "2, 0,       5b00",
        "2, 112500,  5b01",
        "2, 450000,  5b10",
        "2, 1799999, 5b33",
        "6, 439,     5f000000",
        "6, 440,     5f000001",
        "6, 1799999, 5f333333",
        "7, 0,       5g0000000",
        "8, 0,       5h00000001",
        "9, 0,       5i000000012",
        "10, 0,      5j0000000123",
        "11, 0,      5k00000001233",
        "15, 0,      5o000000012332100"
    })
    void a_bucket_is_the_quarter_of_its_time_and_then_of_its_hash(int depth, long millis, String name) {
        SpanBucket bucket = below(depth, millis);
        assertThat(bucket.name()).isEqualTo(name);
        assertThat(bucket.depth()).isEqualTo(depth);
    }

    @Property
    void no_name_begins_like_another(
            @ForAll @IntRange(max = 1_799_999) int one,
            @ForAll @IntRange(max = 1_799_999) int other,
            @ForAll @IntRange(max = 9) int depth,
            @ForAll @IntRange(max = 9) int otherDepth) {
        String name = below(depth, one).name();
        String otherName = below(otherDepth, other).name();
        assertThat(name.equals(otherName) || !name.startsWith(otherName)).isTrue();
    }

    @Example
    void parts_have_two_digits_that_are_read_back() {
        Set<String> parts = new HashSet<>();
        for (int number = 0; number < SpanBucket.MAX_PARTS; number++) {
            String part = SpanBucket.FIRST.part(number);
            assertThat(part).isEqualTo("500" + number);
            assertThat(SpanBucket.partOf(Map.of("sk", AttributeValue.fromS("slice#" + part))))
                    .isEqualTo(number);
            parts.add(part);
        }
        assertThat(parts).hasSize(SpanBucket.MAX_PARTS);
    }
}
