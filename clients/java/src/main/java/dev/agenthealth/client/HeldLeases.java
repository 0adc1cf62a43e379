package dev.agenthealth.client;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The leases that an agent holds through the client. Thread-safe. */
final class HeldLeases {

    private final Set<HeldLease> leases = new LinkedHashSet<>();

    synchronized void add(HeldLease lease) {
        leases.add(lease);
    }

    synchronized void remove(HeldLease lease) {
        leases.remove(lease);
    }

    synchronized boolean isEmpty() {
        return leases.isEmpty();
    }

    /** None of the leases is held any more, as the registry ended them with the agent. */
    void loseAll(String reason) {
        all().forEach(lease -> lease.lose(reason));
    }

    private synchronized List<HeldLease> all() {
        return List.copyOf(leases);
    }
}
