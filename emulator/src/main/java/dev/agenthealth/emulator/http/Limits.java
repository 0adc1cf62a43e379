package dev.agenthealth.emulator.http;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The limits of a server.
 *
 * @param connections in total
 * @param connectionsOfAddress per remote address
 * @param idleTimeout the idle time after which a connection is closed
 * @param bodyBytes the memory of all bodies together
 * @param nanoTime a source such as {@link System#nanoTime}
 */
record Limits(int connections, int connectionsOfAddress, Duration idleTimeout, long bodyBytes, LongSupplier nanoTime) {

    /**
     * The idle timeout. It is longer than the usual interval of heartbeats, 30 s, and than the idle timeout of load balancers, usually 60
     * s. Otherwise clients would send requests on connections that the server is closing.
     */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(75);

    private static final long MAX_BODY_BYTES = 64L * 1_024 * 1_024;
    private static final int MIN_PART_OF_HEAP = 8;

    /** Returns the standard limits: 4,096 connections, half of them per address, 75 s, and 64 MB or an eighth of the heap. */
    static Limits standard() {
        long ofHeap = Runtime.getRuntime().maxMemory() / MIN_PART_OF_HEAP;
        return new Limits(4_096, 2_048, IDLE_TIMEOUT, Math.min(MAX_BODY_BYTES, ofHeap), System::nanoTime);
    }

    /** Returns the limits of the process's own port. */
    Limits ofOwnPort() {
        return new Limits(64, 64, idleTimeout, bodyBytes, nanoTime);
    }

    Limits withIdleTimeout(Duration newTimeout) {
        return new Limits(connections, connectionsOfAddress, newTimeout, bodyBytes, nanoTime);
    }
}
