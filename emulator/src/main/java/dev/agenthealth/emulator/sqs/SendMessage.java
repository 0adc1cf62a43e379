package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** The operation {@code SendMessage}, for messages without attributes. */
final class SendMessage implements QueueOperation {

    private static final int MAX_DELAY_SECONDS = 900;

    private final EmulatedQueues queues;

    SendMessage(EmulatedQueues queues) {
        this.queues = queues;
    }

    @Override
    public QueueAnswer answer(EmulatedQueue queue, JsonNode request) {
        return refusal(request, queue.definition().maximumMessageBytes()).orElseGet(() -> send(queue, request));
    }

    private QueueAnswer send(EmulatedQueue queue, JsonNode request) {
        Duration delay = Duration.ofSeconds(request.path("DelaySeconds").asInt(0));
        Message message = queues.send(queue, request.path("MessageBody").asText(), delay);
        return QueueAnswer.done(
                Json.object().put("MessageId", message.id()).put("MD5OfMessageBody", message.md5OfBody()));
    }

    private static Optional<QueueAnswer> refusal(JsonNode request, int maximumBytes) {
        String body = request.path("MessageBody").asText("");
        int delay = request.path("DelaySeconds").asInt(0);
        if (body.isEmpty()) {
            return refused("MissingParameter", "The request must contain the parameter MessageBody.");
        }
        if (body.getBytes(StandardCharsets.UTF_8).length > maximumBytes) {
            return refused(
                    "InvalidParameterValue",
                    "One or more parameters are invalid. Reason: Message must be shorter than " + maximumBytes
                            + " bytes.");
        }
        if (!body.codePoints().allMatch(SendMessage::isAllowed)) {
            return refused("InvalidMessageContents", "Invalid characters were found in the message body.");
        }
        if (delay < 0 || delay > MAX_DELAY_SECONDS) {
            return refused("InvalidParameterValue", "DelaySeconds must be from 0 to " + MAX_DELAY_SECONDS + ".");
        }
        if (!request.path("MessageAttributes").isEmpty()
                || !request.path("MessageSystemAttributes").isEmpty()) {
            return refused("UnsupportedOperation", "Message attributes are not supported.");
        }
        return Optional.empty();
    }

    private static Optional<QueueAnswer> refused(String error, String message) {
        return Optional.of(QueueAnswer.refused(error, message));
    }

    /** SQS accepts the characters of XML 1.0. */
    private static boolean isAllowed(int codePoint) {
        return codePoint == 0x9
                || codePoint == 0xA
                || codePoint == 0xD
                || codePoint >= 0x20 && codePoint <= 0xD7FF
                || codePoint >= 0xE000 && codePoint <= 0xFFFD
                || codePoint >= 0x10000;
    }
}
