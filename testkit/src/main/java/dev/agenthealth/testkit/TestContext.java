package dev.agenthealth.testkit;

import com.amazonaws.services.lambda.runtime.Context;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Contexts of invocations, with the remaining time. */
public final class TestContext {

    private static final String ALIAS_OF = "arn:aws:lambda:us-east-1:000000000000:function:";

    private TestContext() {}

    /** Returns the context of an invocation that starts now and has this timeout. */
    public static Context lasting(Clock clock, Duration timeout) {
        long end = clock.millis() + timeout.toMillis();
        return withTimeLeft(() -> (int) (end - clock.millis()));
    }

    /** Returns the context of an invocation with remaining milliseconds from this supplier. */
    public static Context withTimeLeft(IntSupplier millis) {
        return of("function", millis);
    }

    /** Returns the context of an invocation of this function through its alias; the remaining time is always a minute. */
    public static Context of(String function) {
        return of(function, () -> 60_000);
    }

    private static Context of(String function, IntSupplier millis) {
        return (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "getRemainingTimeInMillis" -> millis.getAsInt();
                        case "getInvokedFunctionArn" -> ALIAS_OF + function + ":live";
                        case "getFunctionVersion" -> "7";
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }
}
