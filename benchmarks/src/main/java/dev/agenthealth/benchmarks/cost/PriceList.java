package dev.agenthealth.benchmarks.cost;

import java.util.List;
import java.util.Map;

/**
 * The unit prices of one Region on one day.
 *
 * @param region such as {@code us-east-1}
 * @param asOf the day, as ISO 8601
 * @param remark what holds for all prices
 * @param tariffs one for every {@link Price}
 * @param freeOfCharge what is used and has no price
 */
public record PriceList(
        String region, String asOf, String remark, Map<Price, Tariff> tariffs, List<String> freeOfCharge) {

    public PriceList {
        tariffs = Map.copyOf(tariffs);
        freeOfCharge = List.copyOf(freeOfCharge);
        for (Price price : Price.values()) {
            if (!tariffs.containsKey(price)) {
                throw new IllegalArgumentException("no price of " + price.word());
            }
        }
    }

    /** The tariff of one price. */
    public Tariff of(Price price) {
        return tariffs.get(price);
    }
}
