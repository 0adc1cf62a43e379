package dev.agenthealth.local;

import java.util.ArrayDeque;
import java.util.Deque;

/** Resources that are closed in the reverse order of their opening. Not thread-safe. */
final class OpenResources implements AutoCloseable {

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Adds a resource and returns it. */
    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    /**
     * Closes every resource, even after a failure.
     *
     * @throws IllegalStateException for the first failure; later failures are suppressed in it
     */
    @Override
    public void close() {
        IllegalStateException failure = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = new IllegalStateException("a resource cannot be closed", e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes every resource after a failure; failures to close are suppressed in it. */
    void closeAfter(Exception failure) {
        try {
            close();
        } catch (IllegalStateException e) {
            failure.addSuppressed(e);
        }
    }
}
