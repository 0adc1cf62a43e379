package dev.agenthealth.emulator.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The limits of a server.
 *
 * @param connections in all
 * @param connectionsOfAddress of one remote address
 * @param idleTimeout after which a connection is closed on which nothing was sent
 * @param bodyBytes the memory of all bodies together
 * @param nanoTime as {@link System#nanoTime}
 */
record Limits(int connections, int connectionsOfAddress, Duration idleTimeout, long bodyBytes, LongSupplier nanoTime) {

    /**
     * Longer than the usual interval of heartbeats, 30 s, and than load balancers keep idle connections, 60 s by default. Otherwise a client or a
     * load balancer sends requests on connections that the server is closing.
     */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(75);

    private static final long MAX_BODY_BYTES = 64L * 1_024 * 1_024;
    private static final int MIN_PART_OF_HEAP = 8;

    /** 4,096 connections, half of them of one address, 75 s, and 64 MB or an eighth of the heap. */
    static Limits standard() {
        long ofHeap = Runtime.getRuntime().maxMemory() / MIN_PART_OF_HEAP;
        return new Limits(4_096, 2_048, IDLE_TIMEOUT, Math.min(MAX_BODY_BYTES, ofHeap), System::nanoTime);
    }

    /** For the port of the process itself. */
    Limits ofOwnPort() {
        return new Limits(64, 64, idleTimeout, bodyBytes, nanoTime);
    }

    Limits withIdleTimeout(Duration newTimeout) {
        return new Limits(connections, connectionsOfAddress, newTimeout, bodyBytes, nanoTime);
    }
}
