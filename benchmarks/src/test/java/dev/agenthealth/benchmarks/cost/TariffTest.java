package dev.agenthealth.benchmarks.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TariffTest {

    private static final double NO_END = Double.POSITIVE_INFINITY;

    private final Tariff requests = new Tariff(
            "request",
            1_000_000,
            List.of(new Tariff.Tier(300_000_000.0, 1.0), new Tariff.Tier(NO_END, 0.9)),
            "page",
            "found");

    @Test
    void units_above_a_tier_have_the_price_of_the_next_tier() {
        assertThat(requests.cost(0)).isZero();
        assertThat(requests.cost(2_500_000)).isEqualTo(2.5, within(1e-9));
        assertThat(requests.cost(300_000_000)).isEqualTo(300, within(1e-9));
        assertThat(requests.cost(310_000_000)).isEqualTo(309, within(1e-9));
    }

    @Test
    void a_tariff_with_an_end_or_with_tiers_that_do_not_rise_is_refused() {
        for (List<Tariff.Tier> tiers : List.of(
                List.<Tariff.Tier>of(),
                List.of(new Tariff.Tier(10.0, 1.0)),
                List.of(new Tariff.Tier(10.0, 1.0), new Tariff.Tier(10.0, 1.0), new Tariff.Tier(NO_END, 1.0)))) {
            assertThatThrownBy(() -> new Tariff("x", 1, tiers, "page", "found"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
