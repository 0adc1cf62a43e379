package dev.agenthealth.functions.runtime.wiring;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The objects that all handlers of a process share, such as limits that count requests. In Lambda, a process has one handler. On one machine, each request
 * that is under way has a handler of its own, and a limit of each handler would not limit the process. Thread-safe.
 */
public final class ProcessState {

    private final Map<Class<?>, Object> objects = new ConcurrentHashMap<>();

    /** Returns the object of a class that the process has. The first caller creates it. */
    public <T> T shared(Class<T> type, Supplier<T> create) {
        return type.cast(objects.computeIfAbsent(type, first -> create.get()));
    }
}
