package dev.agenthealth.benchmarks.cost;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a month costs, in dollars, by component and item. */
public record Bill(List<Line> lines) {

    public Bill {
        lines = List.copyOf(lines);
    }

    /**
     * What one item of a component costs.
     *
     * @param usd 0 or more
     */
    public record Line(Component component, String item, double usd) {}

    private record Place(Component component, String item) {}

    /** The bill for all that is used. Where more costs less, everything that has the price costs its mean. */
    public static Bill of(List<Usage> usages, PriceList prices) {
        Map<Price, Double> units = new EnumMap<>(Price.class);
        usages.forEach(usage -> units.merge(usage.price(), usage.units(), Double::sum));
        Map<Place, Double> amounts = new LinkedHashMap<>();
        for (Usage usage : usages) {
            double all = units.get(usage.price());
            double usd = all == 0 ? 0 : prices.of(usage.price()).cost(all) * (usage.units() / all);
            amounts.merge(new Place(usage.component(), usage.item()), usd, Double::sum);
        }
        List<Line> lines = new ArrayList<>();
        amounts.forEach((place, usd) -> lines.add(new Line(place.component(), place.item(), usd)));
        return new Bill(lines);
    }

    /** Everything together. */
    public double total() {
        return lines.stream().mapToDouble(Line::usd).sum();
    }

    /** What a component costs. */
    public double of(Component component) {
        return lines.stream()
                .filter(line -> line.component() == component)
                .mapToDouble(Line::usd)
                .sum();
    }

    /** What an item of a component costs; 0 where the bill does not have it. */
    public double of(Component component, String item) {
        return lines.stream()
                .filter(line -> line.component() == component && line.item().equals(item))
                .mapToDouble(Line::usd)
                .sum();
    }
}
