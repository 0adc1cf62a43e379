package dev.agenthealth.benchmarks.cost;

import java.util.Locale;

/** What the system does that costs something, each measured by itself. */
public enum Deed {
    HEARTBEAT("a heartbeat", Entrance.HTTP, "HeartbeatFunction", Purpose.HEARTBEATS),
    HEARTBEATS_OF_100("100 heartbeats in one request", Entrance.HTTP, "HeartbeatFunction", Purpose.HEARTBEATS),
    HEARTBEAT_WITH_OUTCOMES(
            "a heartbeat with 100 outcomes on it", Entrance.HTTP, "HeartbeatFunction", Purpose.OUTCOMES_AND_HEALTH),
    OUTCOMES("a report of 100 outcomes", Entrance.HTTP, "HeartbeatFunction", Purpose.OUTCOMES_AND_HEALTH),
    MEASUREMENT_RUN(
            "a run of the measurement with nothing to do",
            Entrance.SCHEDULE,
            "MeasurementFunction",
            Purpose.OUTCOMES_AND_HEALTH),
    MEASUREMENT("measuring one agent", Entrance.WITHIN, "MeasurementFunction", Purpose.OUTCOMES_AND_HEALTH),
    HEALTH_READ("reading a health document", Entrance.HTTP, "HealthFunction", Purpose.READS),
    DISCOVERY("finding 20 agents by a capability", Entrance.HTTP, "RegistryFunction", Purpose.READS),
    REGISTRATION("a first registration", Entrance.HTTP, "RegistryFunction", Purpose.LIFECYCLE),
    DEREGISTRATION("a deregistration", Entrance.HTTP, "RegistryFunction", Purpose.LIFECYCLE),
    RETURN("a registration after that", Entrance.HTTP, "RegistryFunction", Purpose.LIFECYCLE),
    SILENCE("finding an agent silent", Entrance.WITHIN, "SweepFunction", Purpose.LIFECYCLE),
    RECOVERY("a heartbeat that ends the silence", Entrance.HTTP, "HeartbeatFunction", Purpose.LIFECYCLE),
    SWEEP_PASS("a pass of the sweep over nobody", Entrance.SCHEDULE, "SweepFunction", Purpose.SWEEP),
    SWEPT_THOUSAND("1,000 more agents in a pass", Entrance.WITHIN, "SweepFunction", Purpose.SWEEP),
    LEASE_ACQUISITION("acquiring a lease", Entrance.HTTP, "RegistryFunction", Purpose.LEASES),
    LEASE_RENEWAL("renewing it", Entrance.HTTP, "RegistryFunction", Purpose.LEASES),
    LEASE_RELEASE("releasing it", Entrance.HTTP, "RegistryFunction", Purpose.LEASES),
    INVOCATION("an invocation that is waited for", Entrance.HTTP, "GatewayFunction", Purpose.INVOCATIONS),
    ASYNC_INVOCATION("accepting one that is not", Entrance.HTTP, "GatewayFunction", Purpose.INVOCATIONS),
    ASYNC_DELIVERY("delivering it", Entrance.QUEUE, "InvocationWorkerFunction", Purpose.INVOCATIONS),
    PUBLICATION("sending an event to the bus", Entrance.STREAM, "PublisherFunction", Purpose.EVENTS);

    /** How a function comes to run. */
    public enum Entrance {
        HTTP,
        SCHEDULE,
        STREAM,
        QUEUE,
        /** It does not: the deed is part of a run that another deed stands for. */
        WITHIN
    }

    private final String description;
    private final Entrance entrance;
    private final String function;
    private final Purpose purpose;

    Deed(String description, Entrance entrance, String function, Purpose purpose) {
        this.description = description;
        this.entrance = entrance;
        this.function = function;
        this.purpose = purpose;
    }

    /** Its name in the data files. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it is, in a few words. */
    public String description() {
        return description;
    }

    public Entrance entrance() {
        return entrance;
    }

    /** The logical id of the function that does it. */
    public String function() {
        return function;
    }

    /** What it is done for. */
    public Purpose purpose() {
        return purpose;
    }
}
