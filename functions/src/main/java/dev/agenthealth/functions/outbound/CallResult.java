package dev.agenthealth.functions.outbound;

import dev.agenthealth.model.gateway.InvocationFailure;
import java.util.function.Function;

/** The result of a call to an agent, or of one step of it. */
public sealed interface CallResult<T> {

    /** The step succeeded with this value. */
    record Success<T>(T value) implements CallResult<T> {

        @Override
        public <R> R fold(Function<? super T, R> onSuccess, Function<InvocationFailure, R> onFailure) {
            return onSuccess.apply(value);
        }
    }

    /** The step failed for this reason, which ends the call. */
    record Failure<T>(InvocationFailure reason) implements CallResult<T> {

        @Override
        public <R> R fold(Function<? super T, R> onSuccess, Function<InvocationFailure, R> onFailure) {
            return onFailure.apply(reason);
        }
    }

    /** Applies the function for this kind of result. */
    <R> R fold(Function<? super T, R> onSuccess, Function<InvocationFailure, R> onFailure);

    /** The result of the next step, which runs only if this one succeeded. */
    default <R> CallResult<R> then(Function<? super T, CallResult<R>> next) {
        return fold(next, Failure::new);
    }

    /** The value of a success; throws {@code problem} of the reason otherwise. */
    default T orElseThrow(Function<InvocationFailure, ? extends RuntimeException> problem) {
        return fold(value -> value, reason -> {
            throw problem.apply(reason);
        });
    }
}
