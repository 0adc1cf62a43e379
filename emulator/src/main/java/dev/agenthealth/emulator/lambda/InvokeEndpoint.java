package dev.agenthealth.emulator.lambda;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lambda's operation {@code Invoke}, by which functions invoke each other. */
public final class InvokeEndpoint implements AwsService {

    private static final Pattern PATH = Pattern.compile("/2015-03-31/functions/([^/]+)/invocations");
    private static final Pattern NAME =
            Pattern.compile("(?:(?:arn:[^:]*:lambda:[^:]*:)?\\d{12}:function:)?([\\w-]+)(?::[\\w$-]+)?");

    /** Lambda's own limit of the payload of a synchronous invocation. */
    private static final int MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

    private final Map<String, Invocable> functions;
    private final Executor asynchronous;
    private final EmulatorLog log;

    /**
     * Invokes functions by name.
     *
     * @param functions by their names, which are not their ARNs
     * @param asynchronous runs the invocations of type {@code Event}
     */
    public InvokeEndpoint(Map<String, ? extends Invocable> functions, Executor asynchronous, EmulatorLog log) {
        this.functions = Map.copyOf(functions);
        this.asynchronous = asynchronous;
        this.log = log;
    }

    /** Invokes functions of the template. */
    public InvokeEndpoint(Collection<EmulatedFunction> functions, Executor asynchronous, EmulatorLog log) {
        this(
                functions.stream()
                        .collect(Collectors.toMap(
                                function -> function.definition().name(), Function.identity())),
                asynchronous,
                log);
    }

    @Override
    public Optional<String> operation(RawRequest request) {
        return request.method().equals("POST")
                        && PATH.matcher(request.rawPath()).matches()
                ? Optional.of("Invoke")
                : Optional.empty();
    }

    @Override
    public RawResponse answer(RawRequest request) {
        if (request.body().length > MAX_PAYLOAD_BYTES) {
            return error(413, "RequestTooLargeException", "the payload exceeds 6 MB");
        }
        String name = functionName(request).orElse("");
        Invocable function = functions.get(name);
        if (function == null) {
            return error(404, "ResourceNotFoundException", "Function not found");
        }
        String type = request.header("X-Amz-Invocation-Type").toLowerCase(Locale.ROOT);
        return switch (type) {
            case "", "requestresponse" -> result(name, function, request.body());
            case "event" -> {
                asynchronous.execute(() -> result(name, function, request.body()));
                yield RawResponse.empty(202);
            }
            case "dryrun" -> RawResponse.empty(204);
            default -> error(400, "InvalidParameterValueException", "unknown invocation type");
        };
    }

    /** The name of the function that a request invokes by its name or ARN, with or without a version; empty when it is neither. */
    public static Optional<String> functionName(RawRequest request) {
        Matcher path = PATH.matcher(request.rawPath());
        if (!path.matches()) {
            return Optional.empty();
        }
        Matcher name = NAME.matcher(URLDecoder.decode(path.group(1), StandardCharsets.UTF_8));
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    private RawResponse result(String name, Invocable function, byte[] payload) {
        RawResponse result;
        try {
            result = RawResponse.of(200, "application/json", function.invoke(payload));
        } catch (FunctionFailedException e) {
            log.failure("invocation_failed", name, e.getCause());
            result = RawResponse.json(200, failure(e.getCause())).with("X-Amz-Function-Error", "Unhandled");
        }
        return result.with("X-Amz-Executed-Version", "$LATEST");
    }

    private static ObjectNode failure(Throwable thrown) {
        return Json.object()
                .put("errorMessage", String.valueOf(thrown.getMessage()))
                .put("errorType", thrown.getClass().getName());
    }

    private static RawResponse error(int status, String type, String message) {
        return RawResponse.json(status, Json.object().put("Type", "User").put("Message", message))
                .with("x-amzn-ErrorType", type);
    }
}
