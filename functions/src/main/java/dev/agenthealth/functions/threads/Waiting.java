package dev.agenthealth.functions.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for work of another thread and passes on how it failed. */
public final class Waiting {

    private Waiting() {}

    /** What the work gave; where it failed, what it failed with. */
    public static <T> T on(CompletableFuture<T> work) {
        try {
            return work.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
