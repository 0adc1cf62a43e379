package dev.agenthealth.client;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The leases that an agent holds. The session's lock guards them. */
final class HeldLeases {

    private final Object lock;
    private final Set<HeldLease> held = new LinkedHashSet<>();

    HeldLeases(Object lock) {
        this.lock = lock;
    }

    boolean add(HeldLease lease) {
        synchronized (lock) {
            return held.add(lease);
        }
    }

    void remove(HeldLease lease) {
        synchronized (lock) {
            held.remove(lease);
        }
    }

    boolean isEmpty() {
        synchronized (lock) {
            return held.isEmpty();
        }
    }

    /** Marks every lease as lost. The leases call their callbacks without the lock. */
    void lose(String reason) {
        List<HeldLease> lost;
        synchronized (lock) {
            lost = List.copyOf(held);
        }
        lost.forEach(lease -> lease.lose(reason));
    }
}
