package dev.agenthealth.benchmarks.cost;

import java.util.Map;

/**
 * What every deed takes.
 *
 * @param byDeed a budget for every {@link Deed}
 * @param requestLineBytes of a line that tells of one request in a function's log
 */
public record Budgets(Map<Deed, Budget> byDeed, double requestLineBytes) {

    private static final int BATCH = 100;

    public Budgets {
        byDeed = Map.copyOf(byDeed);
        for (Deed deed : Deed.values()) {
            if (!byDeed.containsKey(deed)) {
                throw new IllegalArgumentException("no budget of " + deed.word());
            }
        }
    }

    public Budget of(Deed deed) {
        return byDeed.get(deed);
    }

    /** What a request with so many heartbeats takes, between 1 and 100: on the line between the two that were measured. */
    public Budget ofHeartbeats(int heartbeats) {
        Budget one = of(Deed.HEARTBEAT);
        Budget more = of(Deed.HEARTBEATS_OF_100).plus(one, -1);
        return one.plus(more, (heartbeats - 1) / (BATCH - 1.0));
    }
}
