package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;

/** The operation {@code DeleteMessageBatch}. A message that was received again since stays, which is no error, as in SQS. */
final class DeleteMessages implements QueueOperation {

    private static final int MAX_ENTRIES = 10;

    @Override
    public QueueAnswer answer(EmulatedQueue queue, JsonNode request) {
        JsonNode entries = request.path("Entries");
        if (entries.isEmpty() || entries.size() > MAX_ENTRIES) {
            return QueueAnswer.refused("TooManyEntriesInBatchRequest", "A batch has 1 to " + MAX_ENTRIES + " entries.");
        }
        ObjectNode answer = Json.object();
        var deleted = answer.putArray("Successful");
        answer.putArray("Failed");
        for (JsonNode entry : entries) {
            queue.delete(entry.path("ReceiptHandle").asText(""));
            deleted.addObject().put("Id", entry.path("Id").asText(""));
        }
        return QueueAnswer.done(answer);
    }
}
