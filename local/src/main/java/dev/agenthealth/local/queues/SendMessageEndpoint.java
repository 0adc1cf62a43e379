package dev.agenthealth.local.queues;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.agenthealth.local.machine.Exchanges;
import dev.agenthealth.local.machine.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Speaks the part of SQS's API (AWS JSON 1.0) that sending needs: the operation {@code SendMessage}, for messages without
 * attributes.
 */
public final class SendMessageEndpoint {

    private static final String TARGET = "AmazonSQS.SendMessage";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";
    private static final int LONGEST_DELAY_SECONDS = 900;

    /** Far above what the largest message can need, escaped and all. */
    private static final int MAXIMUM_BODY_BYTES = 8 * 1024 * 1024;

    private final LocalQueues queues;

    public SendMessageEndpoint(LocalQueues queues) {
        this.queues = queues;
    }

    /** True when the request is one for this endpoint. */
    public static boolean accepts(HttpExchange exchange) {
        return TARGET.equals(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
    }

    /** Answers a {@code SendMessage} request. */
    public void handle(HttpExchange exchange) throws IOException {
        Optional<byte[]> body = Exchanges.body(exchange, MAXIMUM_BODY_BYTES);
        JsonNode request;
        try {
            request = body.isEmpty() ? Json.object() : Json.read(body.get());
        } catch (IOException e) {
            refuse(exchange, "SerializationException", "The request cannot be read.");
            return;
        }
        Optional<LocalQueue> queue = queues.atUrl(request.path("QueueUrl").asText(""));
        if (queue.isEmpty()) {
            // The older name of the error, which the SDK reports as its code.
            exchange.getResponseHeaders().set("x-amzn-query-error", "AWS.SimpleQueueService.NonExistentQueue;Sender");
            refuse(exchange, "QueueDoesNotExist", "The specified queue does not exist.");
            return;
        }
        Optional<Refusal> refusal = refusal(request, queue.get().definition().maximumMessageBytes());
        if (refusal.isPresent()) {
            refuse(exchange, refusal.get().error(), refusal.get().message());
            return;
        }
        Duration delay = Duration.ofSeconds(request.path("DelaySeconds").asInt(0));
        Message message = queues.send(queue.get(), request.path("MessageBody").asText(), delay);
        ObjectNode answer = Json.object();
        answer.put("MessageId", message.id()).put("MD5OfMessageBody", message.md5OfBody());
        Exchanges.send(exchange, 200, CONTENT_TYPE, Json.bytes(answer));
    }

    private record Refusal(String error, String message) {}

    private static Optional<Refusal> refusal(JsonNode request, int maximumBytes) {
        String body = request.path("MessageBody").asText("");
        int delay = request.path("DelaySeconds").asInt(0);
        if (body.isEmpty()) {
            return Optional.of(new Refusal("MissingParameter", "The request must contain the parameter MessageBody."));
        }
        if (body.getBytes(StandardCharsets.UTF_8).length > maximumBytes) {
            return Optional.of(new Refusal(
                    "InvalidParameterValue",
                    "One or more parameters are invalid. Reason: Message must be shorter than " + maximumBytes
                            + " bytes."));
        }
        if (!body.codePoints().allMatch(SendMessageEndpoint::isAllowed)) {
            return Optional.of(
                    new Refusal("InvalidMessageContents", "Invalid characters were found in the message body."));
        }
        if (delay < 0 || delay > LONGEST_DELAY_SECONDS) {
            return Optional.of(new Refusal(
                    "InvalidParameterValue", "DelaySeconds must be from 0 to " + LONGEST_DELAY_SECONDS + "."));
        }
        if (!request.path("MessageAttributes").isEmpty()
                || !request.path("MessageSystemAttributes").isEmpty()) {
            return Optional.of(new Refusal("UnsupportedOperation", "Messages of the local run have no attributes."));
        }
        return Optional.empty();
    }

    /** The characters that XML 1.0 allows, which are those that SQS takes. */
    private static boolean isAllowed(int codePoint) {
        return codePoint == 0x9
                || codePoint == 0xA
                || codePoint == 0xD
                || codePoint >= 0x20 && codePoint <= 0xD7FF
                || codePoint >= 0xE000 && codePoint <= 0xFFFD
                || codePoint >= 0x10000;
    }

    private static void refuse(HttpExchange exchange, String type, String message) throws IOException {
        ObjectNode body =
                Json.object().put("__type", "com.amazonaws.sqs#" + type).put("message", message);
        Exchanges.send(exchange, 400, CONTENT_TYPE, Json.bytes(body));
    }
}
