package dev.agenthealth.functions.runtime.wiring;

import java.util.function.Supplier;

/**
 * Runs several reads of a thread for which the storage may do a part of the work once. A database in the same process reads them on one
 * snapshot, which has every write before the first read. In AWS, each read is a request of its own.
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
