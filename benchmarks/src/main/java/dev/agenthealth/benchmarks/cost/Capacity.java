package dev.agenthealth.benchmarks.cost;

/** How a table's capacity is paid for. */
public sealed interface Capacity {

    /** By the units used. */
    record OnDemand() implements Capacity {}

    /**
     * By the hour, used or not.
     *
     * @param utilisation mean share of the provisioned capacity that is used, above 0 and up to 1
     */
    record Provisioned(double utilisation) implements Capacity {

        public Provisioned {
            if (!(utilisation > 0 && utilisation <= 1)) {
                throw new IllegalArgumentException("the utilisation must be above 0 and at most 1");
            }
        }
    }
}
