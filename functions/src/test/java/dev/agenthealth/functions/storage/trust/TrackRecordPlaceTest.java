package dev.agenthealth.functions.storage.trust;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.f4b6a3.ulid.UlidFactory;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No item and no partition gets much more than its share, whatever the ids of receipts and batches: at 2,000 invocations per second of one
 * provider, 41 transactions per item and, at four units each, 650 write units per partition.
 */
@Tag("SN-08")
class TrackRecordPlaceTest {

    private static final int IDS = 16_000;

    /** Names of what is recorded. */
    enum Names {
        COUNTED(i -> "receipt_" + i),
        NUMBERS(i -> Integer.toString(i * 7)),
        OF_ONE_MILLISECOND(i -> String.format(Locale.ROOT, "rcpt_01KGY4XW00%016d", i * 7)),
        OF_RECEIPTS(ulids()),
        HASHES_OF_BATCHES(i -> String.format(Locale.ROOT, "%016x", new SplittableRandom(i).nextLong()));

        private final IntFunction<String> name;

        Names(IntFunction<String> name) {
            this.name = name;
        }

        /** As receipts are named, but the same in each run. */
        private static IntFunction<String> ulids() {
            UlidFactory factory = UlidFactory.newInstance(new Random(42));
            return i -> "rcpt_" + factory.create(1_770_544_800_000L + i / 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void figures_are_spread_evenly(Names names) {
        assertEven(names, id -> TrackRecordPlace.key(new OfProvider("p"), id), 64);
        assertEven(names, id -> TrackRecordPlace.key(new OfAgent("a"), id), 16);
        assertEven(names, id -> TrackRecordPlace.partition(new OfProvider("p"), id), 16);
    }

    @Test
    void figures_and_log_are_in_the_partitions_that_are_read() {
        for (TrustSubject subject : new TrustSubject[] {new OfAgent("x"), new OfProvider("x")}) {
            for (int i = 0; i < 200; i++) {
                String partition = TrackRecordPlace.partition(subject, "receipt_" + i);
                assertThat(TrackRecordPlace.partitions(subject)).contains(partition);
                assertThat(TrackRecordPlace.key(subject, "receipt_" + i)
                                .get(Attributes.PK)
                                .s())
                        .isEqualTo(partition);
            }
        }
    }

    private static void assertEven(Names names, Function<String, Object> place, int places) {
        Map<Object, Integer> counts = new HashMap<>();
        for (int i = 0; i < IDS; i++) {
            counts.merge(place.apply(names.name.apply(i)), 1, Integer::sum);
        }
        assertThat(counts).hasSize(places);
        double share = (double) IDS / places;
        assertThat(counts.values())
                .allSatisfy(count -> assertThat((double) count).isBetween(0.7 * share, 1.3 * share));
    }
}
