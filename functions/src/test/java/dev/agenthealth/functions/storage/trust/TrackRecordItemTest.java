package dev.agenthealth.functions.storage.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.health.trust.TrackRecord;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@Tag("SN-02")
@Tag("SN-08")
class TrackRecordItemTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    /** More than a long holds: what 2,000 a second for ten eras of last days would add up to. */
    private static final BigInteger HUGE = new BigInteger("2489779200123456789012");

    @Test
    void sums_beyond_a_long_are_added_to_without_losing_a_unit() {
        try (TestSystem system = new TestSystem()) {
            Table registry = system.database().registry();
            Map<String, AttributeValue> key = TrackRecordPlace.key(new OfProvider("p"), "receipt_1");
            for (EvidenceSums sums : List.of(
                    new EvidenceSums(Map.of(57L, HUGE), Map.of(56L, HUGE)),
                    new EvidenceSums(Map.of(57L, BigInteger.ONE), Map.of()))) {
                assertThat(registry.update(TrackRecordItem.addition(key, sums, NOW)))
                        .isTrue();
            }
            TrackRecord read = TrackRecordItem.read(registry.get(key));
            assertThat(read.evidence())
                    .isEqualTo(new EvidenceSums(Map.of(57L, HUGE.add(BigInteger.ONE)), Map.of(56L, HUGE)));
            assertThat(read.latest()).isEmpty();
        }
    }

    @Test
    void a_sum_with_an_exponent_is_read_and_other_attributes_are_ignored() {
        TrackRecord read = TrackRecordItem.read(Map.of(
                "g57", AttributeValue.fromN("2.5E+20"),
                "b57", AttributeValue.fromN("1E+6"),
                "better", AttributeValue.fromS("of a later version"),
                "g", AttributeValue.fromN("1")));
        assertThat(read.evidence())
                .isEqualTo(new EvidenceSums(
                        Map.of(57L, new BigInteger("250000000000000000000")),
                        Map.of(57L, BigInteger.valueOf(1_000_000))));
    }
}
