package dev.agenthealth.functions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However receipts are numbered, no item and no partition gets much more than its share of them. */
@Tag("SN-08")
class FiguresPlaceTest {

    private static final int RECEIPTS = 64_000;

    @ParameterizedTest
    @ValueSource(strings = {"receipt_%d", "receipt_01KGY4XW00%016d", "%d"})
    void figures_are_spread_evenly(String form) {
        assertEven(form, id -> FiguresPlace.figures(new OfProvider("p"), id).toString(), 64);
        assertEven(form, id -> FiguresPlace.figures(new OfAgent("a"), id).toString(), 16);
        assertEven(form, id -> FiguresPlace.partition(new OfProvider("p"), id), 16);
    }

    private static void assertEven(String form, UnaryOperator<String> place, int places) {
        IntFunction<String> receipts = i -> String.format(Locale.ROOT, form, i * 7);
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < RECEIPTS; i++) {
            counts.merge(place.apply(receipts.apply(i)), 1, Integer::sum);
        }
        assertThat(counts).as(form).hasSize(places);
        double share = (double) RECEIPTS / places;
        assertThat(counts.values())
                .allSatisfy(count -> assertThat((double) count).isBetween(0.8 * share, 1.2 * share));
    }
}
