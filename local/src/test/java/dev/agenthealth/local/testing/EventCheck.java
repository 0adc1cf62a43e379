package dev.agenthealth.local.testing;

import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.testkit.EventContract;

/** Holds all events of a local run to their contract. */
public final class EventCheck {

    private static final String REGISTRY_TABLE = "RegistryTable";

    private EventCheck() {}

    /**
     * Looks at the events in the table, publishes those that are not on the bus yet, and looks at those that came through a rule.
     *
     * @throws AssertionError where one breaks its contract
     */
    public static void run(LocalSystem system) {
        EventContract.checkStored(system.dynamoDb(), REGISTRY_TABLE);
        system.drainStreams();
        system.matchedEvents().forEach(EventContract::checkDelivered);
    }
}
