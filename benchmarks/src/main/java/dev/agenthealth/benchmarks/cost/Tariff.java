package dev.agenthealth.benchmarks.cost;

import java.util.List;

/**
 * A unit price.
 *
 * @param unit what is counted
 * @param per the number of units that a tier's price is for; above 0
 * @param tiers in rising order; only the last one has no end
 * @param page the price page
 * @param found where the price was found, or that it could not be verified
 */
public record Tariff(String unit, double per, List<Tier> tiers, String page, String found) {

    public Tariff {
        tiers = List.copyOf(tiers);
        double end = 0;
        for (Tier tier : tiers) {
            if (!(tier.upTo() > end)) {
                throw new IllegalArgumentException("tiers must rise: " + unit);
            }
            end = tier.upTo();
        }
        if (!(per > 0) || end != Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("the last tier must have no end: " + unit);
        }
    }

    /**
     * A range of the units of one month.
     *
     * @param upTo its last unit, counted from the first of the month; infinite where the file has none
     * @param usd the price of {@code per} units
     */
    public record Tier(Double upTo, double usd) {

        public Tier {
            upTo = upTo == null ? Double.POSITIVE_INFINITY : upTo;
        }
    }

    /** The price of a month's units in US dollars; {@code units} is 0 or more. */
    public double cost(double units) {
        double cost = 0;
        double from = 0;
        for (Tier tier : tiers) {
            cost += Math.max(0, Math.min(units, tier.upTo()) - from) * tier.usd() / per;
            from = tier.upTo();
        }
        return cost;
    }
}
