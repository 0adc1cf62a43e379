package dev.agenthealth.functions.runtime.wiring;

import java.util.function.Supplier;

/**
 * Groups reads of one thread. An embedded database runs them on one snapshot, which contains every write confirmed before the first read.
 * In AWS, each read is a request of its own.
 */
@FunctionalInterface
public interface ReadsTogether {

    /** Runs each read alone. */
    ReadsTogether ALONE = Supplier::get;

    /**
     * Runs reads of the calling thread, and returns their result.
     *
     * @param reads reads nothing that it writes itself
     */
    <T> T run(Supplier<T> reads);
}
