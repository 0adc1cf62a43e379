package dev.agenthealth.local;

import java.util.ArrayDeque;
import java.util.Deque;

/** What has been opened so far and must be closed again, last opened first. Not thread-safe. */
final class Closing implements AutoCloseable {

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Remembers a resource and returns it. */
    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    /**
     * Closes everything, whatever fails.
     *
     * @throws IllegalStateException for the first that failed; the others are suppressed exceptions of it
     */
    @Override
    public void close() {
        IllegalStateException failure = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = new IllegalStateException("not everything could be closed", e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes everything because of a failure, which keeps its place: what fails now is suppressed in it. */
    void closeAfter(Exception failure) {
        try {
            close();
        } catch (IllegalStateException e) {
            failure.addSuppressed(e);
        }
    }
}
