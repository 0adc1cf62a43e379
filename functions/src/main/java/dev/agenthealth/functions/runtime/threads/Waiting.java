package dev.agenthealth.functions.runtime.threads;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Waits for the work of another thread. */
public final class Waiting {

    private Waiting() {}

    /**
     * Works on several subjects at once. Returns the results in the order of the subjects when all work has ended, or throws the exception
     * of a failed subject.
     */
    public static <S, T> List<T> onAll(Collection<S> subjects, Function<S, T> work, Executor executor) {
        List<CompletableFuture<T>> results = subjects.stream()
                .map(subject -> CompletableFuture.supplyAsync(() -> work.apply(subject), executor))
                .toList();
        on(CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)));
        return results.stream().map(CompletableFuture::join).toList();
    }

    /** Does all work at once and returns when it has ended. Throws the exception of failed work. */
    public static void onAll(Collection<Runnable> work, Executor executor) {
        on(CompletableFuture.allOf(work.stream()
                .map(one -> CompletableFuture.runAsync(one, executor))
                .toArray(CompletableFuture[]::new)));
    }

    /** Returns the result of the work, or throws the exception with which it failed. */
    public static <T> T on(CompletableFuture<T> work) {
        try {
            return work.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
