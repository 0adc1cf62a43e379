package dev.agenthealth.benchmarks.cost;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The costs of a month in US dollars. */
public record Bill(List<Line> lines) {

    /** Units of something with a price, for one item of an AWS service. */
    public record Usage(String service, String item, String price, double units) {}

    /** The cost of one usage. */
    public record Line(String service, String item, double usd) {}

    /** The bill for these usages. All usages with the same price share its mean price where tiers differ. */
    static Bill of(List<Usage> usages, CostData.Prices prices) {
        Map<String, Double> units = new LinkedHashMap<>();
        usages.forEach(usage -> units.merge(usage.price(), usage.units(), Double::sum));
        List<Line> lines = new ArrayList<>();
        for (Usage usage : usages) {
            double all = units.get(usage.price());
            double usd = all == 0 ? 0 : prices.of(usage.price()).cost(all) * usage.units() / all;
            lines.add(new Line(usage.service(), usage.item(), usd));
        }
        return new Bill(List.copyOf(lines));
    }

    public double total() {
        return lines.stream().mapToDouble(Line::usd).sum();
    }

    /** The cost of a service, by its name. */
    public double of(String service) {
        return lines.stream()
                .filter(line -> line.service().equals(service))
                .mapToDouble(Line::usd)
                .sum();
    }

    /** The cost of an item of a service; 0 where the bill has no such item. */
    public double of(String service, String item) {
        return lines.stream()
                .filter(line -> line.service().equals(service) && line.item().equals(item))
                .mapToDouble(Line::usd)
                .sum();
    }
}
