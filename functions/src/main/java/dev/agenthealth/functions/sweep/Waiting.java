package dev.agenthealth.functions.sweep;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for work of another thread and passes on how it failed. */
final class Waiting {

    private Waiting() {}

    static <T> T on(CompletableFuture<T> work) {
        try {
            return work.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
