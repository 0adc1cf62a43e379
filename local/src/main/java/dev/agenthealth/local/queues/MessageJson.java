package dev.agenthealth.local.queues;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.local.machine.Json;
import dev.agenthealth.local.machine.LocalAccount;

/** Writes messages as the JSON that Lambda hands to functions. */
final class MessageJson {

    private MessageJson() {}

    /** @param queueArn ARN of the queue that the message was received from */
    static ObjectNode of(Received received, String queueArn) {
        Message message = received.message();
        ObjectNode json = Json.object();
        json.put("messageId", message.id())
                .put("receiptHandle", received.receiptHandle())
                .put("body", message.body())
                .put("md5OfBody", message.md5OfBody())
                .put("eventSource", "aws:sqs")
                .put("eventSourceARN", queueArn)
                .put("awsRegion", LocalAccount.REGION);
        json.putObject("attributes")
                .put("ApproximateReceiveCount", String.valueOf(received.receives()))
                .put("SentTimestamp", String.valueOf(message.sentAt().toEpochMilli()))
                .put("SenderId", LocalAccount.ID)
                .put(
                        "ApproximateFirstReceiveTimestamp",
                        String.valueOf(received.firstReceivedAt().toEpochMilli()));
        json.putObject("messageAttributes");
        return json;
    }
}
