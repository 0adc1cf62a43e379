package dev.agenthealth.local.testing;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Counts in the item {@code M#text} how often it got a message, with the queue's own count beside it. The text {@code fail} is reported
 * as failed, {@code soon} likewise and is to come again after 5 s, {@code strange} reports a message that was not sent, {@code throw} makes the whole batch fail.
 */
public final class QueueFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {

    private final Wiring wiring;

    public QueueFunction(Wiring wiring) {
        this.wiring = wiring;
    }

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        List<BatchItemFailure> failures = new ArrayList<>();
        event.getRecords().forEach(message -> count(message, event.getRecords().size()));
        for (SQSMessage message : event.getRecords()) {
            context.getLogger().log("got " + message.getBody());
            switch (message.getBody()) {
                case "fail" -> failures.add(new BatchItemFailure(message.getMessageId()));
                case "soon" -> {
                    hide(message, 5);
                    failures.add(new BatchItemFailure(message.getMessageId()));
                }
                case "strange" -> failures.add(new BatchItemFailure("nobody"));
                case "throw" -> throw new IllegalStateException("told to throw");
                default -> {}
            }
        }
        return new SQSBatchResponse(failures);
    }

    private void hide(SQSMessage message, int seconds) {
        wiring.sqs().get().changeMessageVisibility(request -> request.queueUrl(
                        wiring.environment().get("QUEUE"))
                .receiptHandle(message.getReceiptHandle())
                .visibilityTimeout(seconds));
    }

    private void count(SQSMessage message, int batch) {
        wiring.dynamoDb().get().updateItem(request -> request.tableName(
                        wiring.environment().get("TABLE"))
                .key(Map.of("pk", AttributeValue.fromS("M#" + message.getBody())))
                .updateExpression("ADD times :one SET receives = :receives, batch_size = :batch, queue_arn = :queue")
                .expressionAttributeValues(Map.of(
                        ":one", AttributeValue.fromN("1"),
                        ":receives",
                                AttributeValue.fromS(message.getAttributes().get("ApproximateReceiveCount")),
                        ":batch", AttributeValue.fromN(Integer.toString(batch)),
                        ":queue", AttributeValue.fromS(message.getEventSourceArn()))));
    }
}
