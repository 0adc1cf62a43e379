package dev.agenthealth.local.endurance;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Decides what grows: what the last third of samples has more of than the third before, by more than a tenth and {@value #MARGIN}. */
final class Growth {

    private static final double FACTOR = 1.1;
    private static final int MARGIN = 5;

    private Growth() {}

    /**
     * Returns a sentence for each name that grows.
     *
     * @param bounds how many there are at most of what fills up slowly, by name
     */
    static List<String> of(List<Map<String, Long>> samples, Map<String, Long> bounds) {
        int third = samples.size() / 3;
        TreeSet<String> names = new TreeSet<>();
        samples.forEach(sample -> names.addAll(sample.keySet()));
        return names.stream()
                .filter(name -> {
                    double before = mean(samples.subList(third, 2 * third), name);
                    double after = mean(samples.subList(2 * third, samples.size()), name);
                    return after > Math.max(before * FACTOR + MARGIN, bounds.getOrDefault(name, 0L));
                })
                .map(name -> name + ": "
                        + samples.stream()
                                .map(sample -> sample.getOrDefault(name, 0L))
                                .toList())
                .toList();
    }

    private static double mean(List<Map<String, Long>> samples, String name) {
        return samples.stream()
                .mapToLong(sample -> sample.getOrDefault(name, 0L))
                .average()
                .orElse(0);
    }
}
