package dev.agenthealth.benchmarks.cost;

import java.util.List;

/**
 * A unit price, by tiers where more costs less.
 *
 * @param unit what is counted
 * @param per how many units the amounts of the tiers are for; above 0
 * @param tiers in rising order; the last one has no end
 * @param page the price page where it is to be looked up
 * @param found where it was found, or that it could not be verified
 */
public record Tariff(String unit, double per, List<Tier> tiers, String page, String found) {

    public Tariff {
        tiers = List.copyOf(tiers);
        if (per <= 0 || tiers.isEmpty() || tiers.get(tiers.size() - 1).upTo() != Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("a tariff needs a last tier without an end: " + unit);
        }
        for (int i = 1; i < tiers.size(); i++) {
            if (tiers.get(i).upTo() <= tiers.get(i - 1).upTo()) {
                throw new IllegalArgumentException("tiers must rise: " + unit);
            }
        }
    }

    /**
     * A part of the units of a month.
     *
     * @param upTo the unit at which it ends, counted from the first one of the month; infinite for the last tier
     * @param usd of {@code per} units
     */
    public record Tier(double upTo, double usd) {}

    /** What so many units of one month cost, in dollars; {@code units} is 0 or more. */
    public double cost(double units) {
        double cost = 0;
        double from = 0;
        for (Tier tier : tiers) {
            double inTier = Math.min(units, tier.upTo()) - from;
            if (inTier <= 0) {
                break;
            }
            cost += inTier * tier.usd() / per;
            from = tier.upTo();
        }
        return cost;
    }
}
