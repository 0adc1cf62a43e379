package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.Counts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Prices of models, by which the cost of usage is estimated. An operator declares them, because prices change from day to day.
 *
 * @param currency the code of the currency, such as {@code USD}; empty without prices
 * @param byModel the prices by the name of the model, as agents report it
 */
public record PriceTable(String currency, SortedMap<String, ModelPrice> byModel) {

    /** No prices. */
    public static final PriceTable NONE = new PriceTable("", new TreeMap<>());

    /** The maximum number of models. Each model costs some bytes of an item that is read often. */
    public static final int MAX_MODELS = 50;

    /** The number of decimals of a cost. */
    public static final int DECIMALS = 4;

    public PriceTable {
        byModel = Collections.unmodifiableSortedMap(new TreeMap<>(byModel));
    }

    /** Returns whether there are prices. */
    public boolean isDeclared() {
        return !byModel.isEmpty();
    }

    /** Returns the estimated cost of usage, rounded. Models without a price cost nothing. */
    public BigDecimal cost(Usage usage) {
        return usage.byModel().entrySet().stream()
                .map(this::cost)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .setScale(DECIMALS, RoundingMode.HALF_UP);
    }

    private BigDecimal cost(Map.Entry<ModelName, Counts<UsageCounter>> model) {
        ModelPrice price = byModel.get(model.getKey().model());
        return price == null ? BigDecimal.ZERO : price.cost(model.getValue());
    }

    /** Returns the number of tokens of models without a price. */
    public long unpricedTokens(Usage usage) {
        SortedMap<ModelName, Counts<UsageCounter>> unpriced = new TreeMap<>(usage.byModel());
        unpriced.keySet().removeIf(model -> byModel.containsKey(model.model()));
        return new Usage(unpriced).tokens(true);
    }
}
