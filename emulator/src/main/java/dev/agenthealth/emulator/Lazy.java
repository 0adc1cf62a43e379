package dev.agenthealth.emulator;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A value that is made when it is first asked for, at most once. Thread-safe.
 *
 * @param <T> what it is
 */
final class Lazy<T> implements Supplier<T> {

    private final Supplier<T> maker;
    private T value;

    Lazy(Supplier<T> maker) {
        this.maker = maker;
    }

    @Override
    public synchronized T get() {
        if (value == null) {
            value = maker.get();
        }
        return value;
    }

    /** Does something with the value if it has been made. */
    synchronized void ifMade(Consumer<T> action) {
        if (value != null) {
            action.accept(value);
        }
    }
}
