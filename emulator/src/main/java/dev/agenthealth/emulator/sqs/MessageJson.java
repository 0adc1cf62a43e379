package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.EmulatedAccount;
import dev.agenthealth.emulator.support.Json;

/** Writes messages in the JSON form that Lambda passes to functions. */
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
                .put("awsRegion", EmulatedAccount.REGION);
        json.putObject("attributes")
                .put("ApproximateReceiveCount", String.valueOf(received.receives()))
                .put("SentTimestamp", String.valueOf(message.sentAt().toEpochMilli()))
                .put("SenderId", EmulatedAccount.ID)
                .put(
                        "ApproximateFirstReceiveTimestamp",
                        String.valueOf(received.firstReceivedAt().toEpochMilli()));
        json.putObject("messageAttributes");
        return json;
    }
}
