package dev.agenthealth.functions.health;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Writes metrics as text in the format of Prometheus (0.0.4) or OpenMetrics (1.0). The formats differ in the header of counters, in units,
 * and at the end. Not thread-safe.
 */
final class MetricsText {

    private static final String NAMESPACE = "agent_health_";
    private static final String TOTAL = "_total";
    private static final int MAX_DECIMALS = 6;

    private final boolean openMetrics;
    private final StringBuilder text = new StringBuilder();

    MetricsText(boolean openMetrics) {
        this.openMetrics = openMetrics;
    }

    /** The samples of one metric. */
    final class Family {

        private final String name;

        private Family(String name) {
            this.name = name;
        }

        /**
         * Adds a sample.
         *
         * @param labels alternating names and values; the values are ids and words of this registry, which need no escaping
         */
        Family sample(double value, String... labels) {
            text.append(name);
            for (int i = 0; i < labels.length; i += 2) {
                text.append(i == 0 ? '{' : ',')
                        .append(labels[i])
                        .append("=\"")
                        .append(labels[i + 1])
                        .append('"');
            }
            text.append(labels.length == 0 ? " " : "} ").append(number(value)).append('\n');
            return this;
        }
    }

    /** Starts a metric that rises and falls. */
    Family gauge(String name, String help) {
        header(NAMESPACE + name, "gauge", help);
        return new Family(NAMESPACE + name);
    }

    /**
     * Starts a metric that only rises.
     *
     * @param name the name without {@code _total}
     */
    Family counter(String name, String help) {
        header(NAMESPACE + name + (openMetrics ? "" : TOTAL), "counter", help);
        return new Family(NAMESPACE + name + TOTAL);
    }

    /** Returns the whole text. */
    String text() {
        return openMetrics ? text + "# EOF\n" : text.toString();
    }

    private void header(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        if (openMetrics && name.endsWith("_seconds")) {
            text.append("# UNIT ").append(name).append(" seconds\n");
        }
    }

    private static String number(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(MAX_DECIMALS, RoundingMode.HALF_EVEN);
        return rounded.stripTrailingZeros().toPlainString();
    }
}
