package dev.agenthealth.emulator.lambda;

import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.emulator.support.ServiceErrors;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvalidParameterValueException;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.RequestTooLargeException;
import software.amazon.awssdk.services.lambda.model.ResourceNotFoundException;

/**
 * Implements Lambda's operation {@code Invoke}, by which functions invoke each other. Other operations are not supported. Thread-safe;
 * closing does nothing.
 */
public final class EmulatedLambda implements LambdaClient {

    private static final String NAME = "Lambda";
    private static final Pattern FUNCTION =
            Pattern.compile("(?:(?:arn:[^:]*:lambda:[^:]*:)?\\d{12}:function:)?([\\w-]+)(?::[\\w$-]+)?");

    /** The maximum payload of a synchronous invocation, as in Lambda. */
    private static final int MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

    private final Supplier<? extends Map<String, ? extends Invocable>> functions;
    private final Executor asynchronous;
    private final EmulatorLog log;

    /**
     * @param functions the functions by name, not by ARN; requested at each invocation, because functions take this client before they can
     *     be invoked
     * @param asynchronous runs the invocations of type {@code Event}
     */
    public EmulatedLambda(
            Supplier<? extends Map<String, ? extends Invocable>> functions, Executor asynchronous, EmulatorLog log) {
        this.functions = functions;
        this.asynchronous = asynchronous;
        this.log = log;
    }

    @Override
    public InvokeResponse invoke(InvokeRequest request) {
        byte[] payload =
                request.payload() == null ? new byte[0] : request.payload().asByteArray();
        if (payload.length > MAX_PAYLOAD_BYTES) {
            throw ServiceErrors.of(
                    RequestTooLargeException.builder(),
                    NAME,
                    413,
                    "RequestTooLargeException",
                    "the payload exceeds 6 MB");
        }
        Matcher name = FUNCTION.matcher(String.valueOf(request.functionName()));
        Invocable function = name.matches() ? functions.get().get(name.group(1)) : null;
        if (function == null) {
            throw ServiceErrors.of(
                    ResourceNotFoundException.builder(), NAME, 404, "ResourceNotFoundException", "Function not found");
        }
        String type = String.valueOf(request.invocationTypeAsString()).toLowerCase(Locale.ROOT);
        return switch (type) {
            case "null", "requestresponse" -> result(name.group(1), function, payload);
            case "event" -> {
                asynchronous.execute(() -> result(name.group(1), function, payload));
                yield InvokeResponse.builder().statusCode(202).build();
            }
            case "dryrun" -> InvokeResponse.builder().statusCode(204).build();
            default ->
                throw ServiceErrors.of(
                        InvalidParameterValueException.builder(),
                        NAME,
                        400,
                        "InvalidParameterValueException",
                        "unknown invocation type");
        };
    }

    private InvokeResponse result(String name, Invocable function, byte[] payload) {
        InvokeResponse.Builder result = InvokeResponse.builder().statusCode(200).executedVersion("$LATEST");
        try {
            result.payload(SdkBytes.fromByteArrayUnsafe(function.invoke(payload)));
        } catch (FunctionFailedException e) {
            log.failure("invocation_failed", name, e.getCause());
            result.payload(SdkBytes.fromByteArrayUnsafe(failure(e.getCause()))).functionError("Unhandled");
        }
        return result.build();
    }

    private static byte[] failure(Throwable thrown) {
        return Json.bytes(Json.object()
                .put("errorMessage", String.valueOf(thrown.getMessage()))
                .put("errorType", thrown.getClass().getName()));
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {}
}
