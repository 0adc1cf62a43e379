package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The operations of SQS (AWS JSON 1.0) that functions need: {@code SendMessage}, for messages without attributes, {@code ReceiveMessage},
 * {@code DeleteMessageBatch} and {@code ChangeMessageVisibility}.
 */
public final class SqsEndpoint implements AwsService {

    private static final String PREFIX = "AmazonSQS.";
    private static final String CONTENT_TYPE = "application/x-amz-json-1.0";

    private final EmulatedQueues queues;
    private final Map<String, QueueOperation> operations;

    public SqsEndpoint(EmulatedQueues queues) {
        this.queues = queues;
        this.operations = Map.of(
                "SendMessage", new SendMessage(queues),
                "ReceiveMessage", new ReceiveMessage(queues),
                "DeleteMessageBatch", new DeleteMessages(),
                "ChangeMessageVisibility", new ChangeVisibility(queues));
    }

    @Override
    public Optional<String> operation(RawRequest request) {
        String target = request.header("X-Amz-Target");
        return Optional.of(target.replaceFirst("^" + PREFIX, ""))
                .filter(name -> target.startsWith(PREFIX) && operations.containsKey(name));
    }

    @Override
    public RawResponse answer(RawRequest request) {
        JsonNode json;
        try {
            json = Json.read(request.body());
        } catch (IOException e) {
            return response(QueueAnswer.refused("SerializationException", "The request cannot be read."));
        }
        QueueOperation operation = operations.get(operation(request).orElseThrow());
        return queues.atUrl(json.path("QueueUrl").asText(""))
                .map(queue -> response(operation.answer(queue, json)))
                // The older name of the error, which the SDK reports as its code.
                .orElseGet(
                        () -> response(QueueAnswer.refused("QueueDoesNotExist", "The specified queue does not exist."))
                                .with("x-amzn-query-error", "AWS.SimpleQueueService.NonExistentQueue;Sender"));
    }

    private static RawResponse response(QueueAnswer answer) {
        return RawResponse.of(answer.status(), CONTENT_TYPE, Json.bytes(answer.json()));
    }
}
