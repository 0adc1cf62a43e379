package dev.agenthealth.testkit;

import com.amazonaws.services.lambda.runtime.Context;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.function.IntSupplier;

/** What Lambda tells a function about an invocation, as far as functions ask: how much time is left. */
public final class TestContext {

    private TestContext() {}

    /** An invocation that begins now and may last so long. */
    public static Context lasting(Clock clock, Duration timeout) {
        long end = clock.millis() + timeout.toMillis();
        return withTimeLeft(() -> (int) (end - clock.millis()));
    }

    /** An invocation with so many milliseconds left, each time it is asked. */
    public static Context withTimeLeft(IntSupplier millis) {
        return (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getRemainingTimeInMillis")) {
                        return millis.getAsInt();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
