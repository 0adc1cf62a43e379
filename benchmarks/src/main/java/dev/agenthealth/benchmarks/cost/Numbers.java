package dev.agenthealth.benchmarks.cost;

import java.util.Locale;

/** How a reader sees numbers. */
final class Numbers {

    private Numbers() {}

    /** Dollars: to the cent below 100, to the dollar above. */
    static String usd(double amount) {
        return Math.abs(amount) < 100 ? format("%.2f", amount) : format("%,.0f", amount);
    }

    /** Dollars with a sign. */
    static String change(double amount) {
        return (amount < 0 ? "−" : "+") + usd(Math.abs(amount));
    }

    /** How much more the new amount is than the old one, with a sign. */
    static String percent(double from, double to) {
        double percent = from == 0 ? 0 : (to - from) / from * 100;
        return (percent < 0 ? "−" : "+") + format("%.1f %%", Math.abs(percent));
    }

    /** Dollars of which cents are much. */
    static String fine(double amount) {
        return format("%.4f", amount);
    }

    /** The share of a whole where it is small. */
    static String fineShare(double part, double whole) {
        return format("%.2f %%", whole == 0 ? 0 : part / whole * 100);
    }

    /** The share of a whole. */
    static String share(double part, double whole) {
        return format("%.0f %%", whole == 0 ? 0 : part / whole * 100);
    }

    /** A number with as many digits behind the point as it needs, three at most. */
    static String plain(double number) {
        String text = format("%,.3f", number);
        return text.replaceFirst("\\.?0+$", "");
    }

    static String whole(double number) {
        return format("%,.0f", number);
    }

    private static String format(String pattern, double number) {
        return String.format(Locale.ROOT, pattern, number);
    }
}
