package dev.agenthealth.testkit;

import dev.agenthealth.emulator.lambda.EmulatedLambda;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.lambda.Invocable;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/** The emulator's Lambda, which keeps the invocations. Thread-safe. */
public final class TestLambda {

    private final ScriptedCalls<InvokeRequest, InvokeResponse> invocations;

    /**
     * @param names of the existing functions
     * @param functions maps a function's name and the JSON of an invocation to the JSON of its result; an exception is the function's error
     */
    public TestLambda(List<String> names, BinaryOperator<String> functions) {
        Map<String, Invocable> invocables = names.stream()
                .collect(Collectors.toMap(Function.identity(), name -> payload -> result(name, payload, functions)));
        invocations =
                new ScriptedCalls<>(new EmulatedLambda(() -> invocables, Runnable::run, EmulatorLog.none())::invoke);
    }

    public LambdaClient client() {
        return new LambdaClient() {
            @Override
            public InvokeResponse invoke(InvokeRequest request) {
                return invocations.call(request);
            }

            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }

    /** Returns the invoked functions' names or ARNs, as they were sent. */
    public Set<String> invoked() {
        return invocations.requests().stream().map(InvokeRequest::functionName).collect(Collectors.toUnmodifiableSet());
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
}
