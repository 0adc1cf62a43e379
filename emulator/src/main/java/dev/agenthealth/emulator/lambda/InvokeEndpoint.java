package dev.agenthealth.emulator.lambda;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.emulator.http.Exchanges;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
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

/** Speaks the part of Lambda's API that one function needs to invoke another: the operation {@code Invoke}. */
public final class InvokeEndpoint {

    private static final Pattern PATH = Pattern.compile("/2015-03-31/functions/([^/]+)/invocations");
    private static final Pattern NAME =
            Pattern.compile("(?:(?:arn:[^:]*:lambda:[^:]*:)?\\d{12}:function:)?([\\w-]+)(?::[\\w$-]+)?");

    /** Lambda's own limit of the payload of a synchronous invocation. */
    private static final int MAXIMUM_PAYLOAD_BYTES = 6 * 1024 * 1024;

    private final Map<String, EmulatedFunction> functions;
    private final Executor asynchronous;
    private final EmulatorLog log;

    /** @param asynchronous runs the invocations that nobody waits for */
    public InvokeEndpoint(Collection<EmulatedFunction> functions, Executor asynchronous, EmulatorLog log) {
        this.functions = functions.stream()
                .collect(Collectors.toMap(function -> function.definition().name(), Function.identity()));
        this.asynchronous = asynchronous;
        this.log = log;
    }

    /** True when the request is one for this endpoint. */
    public static boolean accepts(HttpExchange exchange) {
        return exchange.getRequestMethod().equals("POST")
                && PATH.matcher(exchange.getRequestURI().getRawPath()).matches();
    }

    /** Answers an {@code Invoke} request. */
    public void handle(HttpExchange exchange) throws IOException {
        Optional<byte[]> payload = Exchanges.body(exchange, MAXIMUM_PAYLOAD_BYTES);
        if (payload.isEmpty()) {
            error(exchange, 413, "RequestTooLargeException", "the payload exceeds 6 MB");
            return;
        }
        Optional<EmulatedFunction> function = functionOf(exchange);
        if (function.isEmpty()) {
            error(exchange, 404, "ResourceNotFoundException", "Function not found");
            return;
        }
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("X-Amz-Invocation-Type"))
                .orElse("RequestResponse")
                .toLowerCase(Locale.ROOT);
        switch (type) {
            case "requestresponse" -> answer(exchange, function.get(), payload.get());
            case "event" -> {
                asynchronous.execute(() -> invokeAlone(function.get(), payload.get()));
                Exchanges.send(exchange, 202, "application/json", new byte[0]);
            }
            case "dryrun" -> Exchanges.send(exchange, 204, "application/json", new byte[0]);
            default -> error(exchange, 400, "InvalidParameterValueException", "unknown invocation type");
        }
    }

    private Optional<EmulatedFunction> functionOf(HttpExchange exchange) {
        Matcher path = PATH.matcher(exchange.getRequestURI().getRawPath());
        if (!path.matches()) {
            return Optional.empty();
        }
        Matcher name = NAME.matcher(URLDecoder.decode(path.group(1), StandardCharsets.UTF_8));
        return name.matches() ? Optional.ofNullable(functions.get(name.group(1))) : Optional.empty();
    }

    private void answer(HttpExchange exchange, EmulatedFunction function, byte[] payload) throws IOException {
        exchange.getResponseHeaders().set("X-Amz-Executed-Version", "$LATEST");
        byte[] result;
        try {
            result = function.invoke(payload);
        } catch (FunctionFailedException e) {
            log.failure("invocation_failed", function.definition().name(), e.getCause());
            exchange.getResponseHeaders().set("X-Amz-Function-Error", "Unhandled");
            result = failure(e.getCause());
        }
        Exchanges.send(exchange, 200, "application/json", result);
    }

    private void invokeAlone(EmulatedFunction function, byte[] payload) {
        try {
            function.invoke(payload);
        } catch (FunctionFailedException e) {
            log.failure("invocation_failed", function.definition().name(), e.getCause());
        }
    }

    private static byte[] failure(Throwable thrown) {
        ObjectNode failure = Json.object();
        failure.put("errorMessage", String.valueOf(thrown.getMessage()));
        failure.put("errorType", thrown.getClass().getName());
        return Json.bytes(failure);
    }

    private static void error(HttpExchange exchange, int status, String type, String message) throws IOException {
        exchange.getResponseHeaders().set("x-amzn-ErrorType", type);
        ObjectNode body = Json.object();
        body.put("Type", "User").put("Message", message);
        Exchanges.send(exchange, status, "application/json", Json.bytes(body));
    }
}
