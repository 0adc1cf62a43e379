package dev.agenthealth.testkit;

import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.lambda.Invocable;
import dev.agenthealth.emulator.lambda.InvokeEndpoint;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** The emulator's Lambda, which keeps what is invoked. Thread-safe. */
public final class TestLambda implements AutoCloseable {

    private static final int NAME_SEGMENT = 3;

    private final LazyService emulated;

    /**
     * @param names of the functions that exist
     * @param functions from a function's name and the JSON of an invocation to the JSON of its result; an exception is a function's error
     */
    public TestLambda(List<String> names, BinaryOperator<String> functions) {
        Map<String, Invocable> invocables = new HashMap<>();
        names.forEach(name -> invocables.put(name, payload -> result(name, payload, functions)));
        emulated = new LazyService(new InvokeEndpoint(invocables, Runnable::run, EmulatorLog.none()));
    }

    /** A client that makes up to 3 attempts, without a pause between them. */
    public LambdaClient client() {
        return emulated.endpoint().lambda();
    }

    /** Names or ARNs of the functions that were invoked, as they were sent. */
    public Set<String> invoked() {
        return emulated.calls().of("Invoke").stream()
                .map(request -> request.rawPath().split("/")[NAME_SEGMENT])
                .map(name -> URLDecoder.decode(name, StandardCharsets.UTF_8))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static byte[] result(String name, byte[] payload, BinaryOperator<String> functions) {
        try {
            return functions
                    .apply(name, new String(payload, StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
        } catch (RuntimeException e) {
            throw new FunctionFailedException(name, e);
        }
    }

    @Override
    public void close() {
        emulated.close();
    }
}
