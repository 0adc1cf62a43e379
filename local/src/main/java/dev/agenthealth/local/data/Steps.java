package dev.agenthealth.local.data;

/** Receives how much of some work is done. */
@FunctionalInterface
public interface Steps {

    /** This many bytes of the whole are done. */
    void done(long bytes, long whole);
}
