package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.emulator.http.Exchanges;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Speaks the part of SQS's API (AWS JSON 1.0) that functions need: the operations {@code SendMessage}, for messages without attributes,
 * and {@code ChangeMessageVisibility}.
 */
public final class SqsEndpoint {

    private static final String SEND_MESSAGE = "AmazonSQS.SendMessage";
    private static final String CHANGE_VISIBILITY = "AmazonSQS.ChangeMessageVisibility";
    private static final Set<String> TARGETS = Set.of(SEND_MESSAGE, CHANGE_VISIBILITY);
    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";

    /** Far above what the largest message can need, escaped and all. */
    private static final int MAXIMUM_BODY_BYTES = 8 * 1024 * 1024;

    private final EmulatedQueues queues;
    private final Map<String, QueueOperation> operations;

    public SqsEndpoint(EmulatedQueues queues) {
        this.queues = queues;
        this.operations =
                Map.of(SEND_MESSAGE, new SendMessage(queues), CHANGE_VISIBILITY, new ChangeVisibility(queues));
    }

    /** True when the request is one for this endpoint. */
    public static boolean accepts(HttpExchange exchange) {
        return TARGETS.contains(target(exchange));
    }

    /** Answers a request that this endpoint accepts. */
    public void handle(HttpExchange exchange) throws IOException {
        Optional<byte[]> body = Exchanges.body(exchange, MAXIMUM_BODY_BYTES);
        JsonNode request;
        try {
            request = body.isEmpty() ? Json.object() : Json.read(body.get());
        } catch (IOException e) {
            send(exchange, QueueAnswer.refused("SerializationException", "The request cannot be read."));
            return;
        }
        Optional<EmulatedQueue> queue = queues.atUrl(request.path("QueueUrl").asText(""));
        if (queue.isEmpty()) {
            // The older name of the error, which the SDK reports as its code.
            exchange.getResponseHeaders().set("x-amzn-query-error", "AWS.SimpleQueueService.NonExistentQueue;Sender");
            send(exchange, QueueAnswer.refused("QueueDoesNotExist", "The specified queue does not exist."));
            return;
        }
        send(exchange, operations.get(target(exchange)).answer(queue.get(), request));
    }

    private static String target(HttpExchange exchange) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst("X-Amz-Target"))
                .orElse("");
    }

    private static void send(HttpExchange exchange, QueueAnswer answer) throws IOException {
        Exchanges.send(exchange, answer.status(), CONTENT_TYPE, Json.bytes(answer.json()));
    }
}
