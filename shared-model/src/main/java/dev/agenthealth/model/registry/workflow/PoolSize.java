package dev.agenthealth.model.registry.workflow;

/**
 * The number of instances of a role that a workflow wants (RFC-0016 §12). It is advisory: no request is refused because of it.
 *
 * @param minimum the number of instances that should be active, at least 0
 * @param maximum the number of instances that should be enough, at least 1 and at least {@code minimum}, or {@link #NO_MAXIMUM}
 */
public record PoolSize(int minimum, int maximum) {

    /** The maximum if the pool declares none. */
    public static final int NO_MAXIMUM = 0;

    /** The maximum number of instances that can be declared. */
    public static final int MAX_INSTANCES = 1_000_000;

    /** A pool of any size. */
    public static final PoolSize ANY = new PoolSize(0, NO_MAXIMUM);

    public boolean hasMaximum() {
        return maximum != NO_MAXIMUM;
    }

    /** Returns whether this number of active members is below the minimum. */
    public boolean isBelow(long activeMembers) {
        return activeMembers < minimum;
    }
}
