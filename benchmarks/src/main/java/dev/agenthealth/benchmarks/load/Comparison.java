package dev.agenthealth.benchmarks.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Compares two systems by pairs of values that were measured one right after the other. A temporary slowdown of the machine affects both
 * values of a pair.
 *
 * @param ratio the median of first / second
 * @param p the two-sided, exact probability of pairs at least as one-sided if the systems did not differ; signed-rank test of Wilcoxon on
 *     the logarithms of the ratios
 */
public record Comparison(double ratio, double p) {

    /** The probability below which a difference does not count as noise. */
    static final double SIGNIFICANT = 0.05;

    /** The minimum number of pairs. With fewer pairs, even full agreement is not significant. */
    static final int MIN_PAIRS = 6;

    /** The minimum difference that matters, however certain it is. */
    static final double MIN_DIFFERENCE = 0.02;

    /** The maximum number of pairs, since the test computes 2^n sums. */
    private static final int MAX_PAIRS = 20;

    /**
     * Compares values in pairs.
     *
     * @throws IllegalArgumentException unless both lists have the same size, 1 to 20, and all values are positive
     */
    public static Comparison of(List<Double> first, List<Double> second) {
        int n = first.size();
        if (n != second.size() || n == 0 || n > MAX_PAIRS) {
            throw new IllegalArgumentException("1 to " + MAX_PAIRS + " pairs are needed");
        }
        double[] ratios = new double[n];
        for (int i = 0; i < n; i++) {
            if (!(first.get(i) > 0 && second.get(i) > 0)) {
                throw new IllegalArgumentException("values must be positive");
            }
            ratios[i] = first.get(i) / second.get(i);
        }
        return new Comparison(
                median(ratios), signedRank(Arrays.stream(ratios).map(Math::log).toArray()));
    }

    /** Returns true if the systems differ by more than noise. */
    public boolean differs() {
        return p < SIGNIFICANT && Math.abs(ratio - 1) >= MIN_DIFFERENCE;
    }

    /** Returns the median of an unsorted array and leaves the array unchanged. */
    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static double signedRank(double[] differences) {
        List<Double> some = new ArrayList<>();
        Arrays.stream(differences).filter(d -> d != 0).forEach(some::add);
        some.sort(Comparator.comparingDouble(Math::abs));
        double[] ranks = ranks(some);
        double positive = 0;
        double total = 0;
        for (int i = 0; i < ranks.length; i++) {
            positive += some.get(i) > 0 ? ranks[i] : 0;
            total += ranks[i];
        }
        double distance = Math.abs(positive - total / 2);
        long asFar = 0;
        for (long signs = 0; signs < 1L << ranks.length; signs++) {
            double sum = 0;
            for (int i = 0; i < ranks.length; i++) {
                sum += (signs >> i & 1) * ranks[i];
            }
            asFar += Math.abs(sum - total / 2) >= distance - 1e-9 ? 1 : 0;
        }
        return asFar / (double) (1L << ranks.length);
    }

    /** Returns ranks from 1; equal distances share the mean of their ranks. */
    private static double[] ranks(List<Double> byDistance) {
        double[] ranks = new double[byDistance.size()];
        for (int from = 0; from < ranks.length; ) {
            int to = from;
            while (to < ranks.length && Math.abs(byDistance.get(to)) == Math.abs(byDistance.get(from))) {
                to++;
            }
            Arrays.fill(ranks, from, to, (from + 1 + to) / 2.0);
            from = to;
        }
        return ranks;
    }
}
