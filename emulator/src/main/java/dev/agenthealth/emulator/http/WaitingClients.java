package dev.agenthealth.emulator.http;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Clients without a request in progress, in the order in which they began to wait. An operation takes the same number of steps for any
 * number of clients. Not thread-safe.
 *
 * @param <C> the type of a client, which is compared by identity
 */
final class WaitingClients<C extends WaitingClients.Client> {

    private final long idleNanos;
    private final long newNanos;
    private final Set<C> served = new LinkedHashSet<>();
    private final Set<C> unserved = new LinkedHashSet<>();

    /** A client that waits. */
    interface Client {

        /** Returns true if the client has sent a request. */
        boolean hadRequest();

        /** Returns the time at which the client began to wait, in nanoseconds. */
        long since();
    }

    /**
     * @param idleNanos the time after a request from which a client is the first to make room
     * @param newNanos the time that a client has for its first request before it may make room
     */
    WaitingClients(long idleNanos, long newNanos) {
        this.idleNanos = idleNanos;
        this.newNanos = newNanos;
    }

    /** Adds a client that begins to wait now, or moves it to the end. */
    void add(C client) {
        remove(client);
        (client.hadRequest() ? served : unserved).add(client);
    }

    void remove(C client) {
        if (!served.remove(client)) {
            unserved.remove(client);
        }
    }

    /**
     * Returns the client that makes room, if a client may. The order is: clients idle for more than the idle time after a request, clients
     * that sent no request in the time for their first request, other clients. Within a group, the client that waited longest comes first.
     */
    Optional<C> first(long now) {
        Optional<C> idle = longest(served);
        if (idle.isPresent() && now - idle.get().since() > idleNanos) {
            return idle;
        }
        Optional<C> silent = longest(unserved);
        return silent.isPresent() && now - silent.get().since() > newNanos ? silent : idle;
    }

    private Optional<C> longest(Set<C> clients) {
        Iterator<C> all = clients.iterator();
        return all.hasNext() ? Optional.of(all.next()) : Optional.empty();
    }
}
