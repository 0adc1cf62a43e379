package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;

/** The operation {@code ReceiveMessage}, which answers at once: a wait only finds more messages. */
final class ReceiveMessage implements QueueOperation {

    private static final int MAX_MESSAGES = 10;

    private final EmulatedQueues queues;

    ReceiveMessage(EmulatedQueues queues) {
        this.queues = queues;
    }

    @Override
    public QueueAnswer answer(EmulatedQueue queue, JsonNode request) {
        int limit = request.path("MaxNumberOfMessages").asInt(1);
        if (limit < 1 || limit > MAX_MESSAGES) {
            return QueueAnswer.refused(
                    "ReadCountOutOfRange", "MaxNumberOfMessages must be from 1 to " + MAX_MESSAGES + ".");
        }
        ObjectNode answer = Json.object();
        var messages = answer.putArray("Messages");
        for (Received received : queues.receive(queue.definition().url(), limit)) {
            messages.addObject()
                    .put("MessageId", received.message().id())
                    .put("ReceiptHandle", received.receiptHandle())
                    .put("MD5OfBody", received.message().md5OfBody())
                    .put("Body", received.message().body());
        }
        return QueueAnswer.done(answer);
    }
}
