package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.support.Json;
import java.time.Duration;

/** The operation {@code ChangeMessageVisibility}: sets how long from now a received message stays hidden. */
final class ChangeVisibility implements QueueOperation {

    private static final int MAX_SECONDS = 43_200;

    private final EmulatedQueues queues;

    ChangeVisibility(EmulatedQueues queues) {
        this.queues = queues;
    }

    @Override
    public QueueAnswer answer(EmulatedQueue queue, JsonNode request) {
        String handle = request.path("ReceiptHandle").asText("");
        JsonNode seconds = request.path("VisibilityTimeout");
        if (handle.isEmpty() || !seconds.isInt()) {
            return QueueAnswer.refused(
                    "MissingParameter",
                    "The request must contain the parameters ReceiptHandle and VisibilityTimeout, a number.");
        }
        if (seconds.asInt() < 0 || seconds.asInt() > MAX_SECONDS) {
            return QueueAnswer.refused(
                    "InvalidParameterValue", "VisibilityTimeout must be from 0 to " + MAX_SECONDS + ".");
        }
        return switch (queues.hide(queue, handle, Duration.ofSeconds(seconds.asInt()))) {
            case HIDDEN -> QueueAnswer.done(Json.object());
            case NOT_IN_FLIGHT ->
                QueueAnswer.refused(
                        "MessageNotInflight", "The message is not in flight: its visibility timeout is over.");
            case UNKNOWN ->
                QueueAnswer.refused(
                        "InvalidParameterValue",
                        "ReceiptHandle is invalid. Reason: Message does not exist or was received again.");
        };
    }
}
