package dev.agenthealth.testkit;

import com.amazonaws.services.lambda.runtime.Context;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.function.IntSupplier;

/** What Lambda tells a function about an invocation, as far as functions ask: how much time is left. */
public final class TestContext {

    private static final String ALIAS_OF = "arn:aws:lambda:us-east-1:000000000000:function:";

    private TestContext() {}

    /** An invocation that begins now and may last so long. */
    public static Context lasting(Clock clock, Duration timeout) {
        long end = clock.millis() + timeout.toMillis();
        return withTimeLeft(() -> (int) (end - clock.millis()));
    }

    /** An invocation with so many milliseconds left, each time it is asked. */
    public static Context withTimeLeft(IntSupplier millis) {
        return of("function", millis);
    }

    /** An invocation of this function, through its alias, with a minute left whenever it asks. */
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
