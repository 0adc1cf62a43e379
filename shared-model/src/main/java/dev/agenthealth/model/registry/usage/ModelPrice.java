package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.Counts;
import java.math.BigDecimal;

/**
 * The price of a model for a million tokens of each kind.
 *
 * @param input the price of input tokens
 * @param output the price of output tokens
 * @param cachedInput the price of input tokens from a cache
 */
public record ModelPrice(BigDecimal input, BigDecimal output, BigDecimal cachedInput) {

    /** The largest price. */
    public static final BigDecimal MAX = BigDecimal.valueOf(1_000_000);

    /** The number of decimals of a price. */
    public static final int MAX_DECIMALS = 6;

    private static final int DIGITS_OF_MILLION = 6;

    public ModelPrice {
        input = plain(input);
        output = plain(output);
        cachedInput = plain(cachedInput);
    }

    /** Returns the price without trailing zeros and without an exponent, so that equal prices are equal. */
    private static BigDecimal plain(BigDecimal price) {
        BigDecimal stripped = price.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /** Returns the cost of tokens. Tokens from a cache cost their own price instead of the price of input. */
    BigDecimal cost(Counts<UsageCounter> numbers) {
        long cached = numbers.get(UsageCounter.CACHE_READ_TOKENS);
        long uncached = Math.max(0, numbers.get(UsageCounter.INPUT_TOKENS) - cached);
        return times(input, uncached)
                .add(times(cachedInput, cached))
                .add(times(output, numbers.get(UsageCounter.OUTPUT_TOKENS)))
                .movePointLeft(DIGITS_OF_MILLION);
    }

    private static BigDecimal times(BigDecimal price, long tokens) {
        return price.multiply(BigDecimal.valueOf(tokens));
    }
}
