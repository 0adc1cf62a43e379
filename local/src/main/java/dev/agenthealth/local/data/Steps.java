package dev.agenthealth.local.data;

/** Receives the progress of work. */
@FunctionalInterface
public interface Steps {

    /** Reports that {@code bytes} of {@code whole} bytes are done. */
    void done(long bytes, long whole);
}
