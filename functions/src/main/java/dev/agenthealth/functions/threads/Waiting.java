package dev.agenthealth.functions.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for the work of another thread. */
public final class Waiting {

    private Waiting() {}

    /** Returns the result of the work, or throws the exception with which it failed. */
    public static <T> T on(CompletableFuture<T> work) {
        try {
            return work.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
