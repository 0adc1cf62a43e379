package dev.agenthealth.emulator.sqs;

import dev.agenthealth.emulator.support.ServiceErrors;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.InvalidMessageContentsException;
import software.amazon.awssdk.services.sqs.model.MessageNotInflightException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;
import software.amazon.awssdk.services.sqs.model.TooManyEntriesInBatchRequestException;
import software.amazon.awssdk.services.sqs.model.UnsupportedOperationException;

/**
 * The operations of SQS that functions call, on the template's queues. Thread-safe; closing does nothing.
 *
 * <p>They are {@code SendMessage}, for messages without attributes, {@code ReceiveMessage}, which answers at once, {@code
 * DeleteMessageBatch} and {@code ChangeMessageVisibility}. Other operations are not supported.
 */
public final class EmulatedSqs implements SqsClient {

    private static final int MAX_DELAY_SECONDS = 900;
    private static final int MAX_HIDDEN_SECONDS = 43_200;
    private static final int MAX_MESSAGES = 10;

    private final EmulatedQueues queues;

    public EmulatedSqs(EmulatedQueues queues) {
        this.queues = queues;
    }

    @Override
    public SendMessageResponse sendMessage(SendMessageRequest request) {
        EmulatedQueue queue = queue(request.queueUrl());
        String body = text(request.messageBody());
        int delay = Optional.ofNullable(request.delaySeconds()).orElse(0);
        int maximumBytes = queue.definition().maximumMessageBytes();
        if (body.isEmpty()) {
            throw refused("MissingParameter", "The request must contain the parameter MessageBody.");
        }
        if (body.getBytes(StandardCharsets.UTF_8).length > maximumBytes) {
            throw refused(
                    "InvalidParameterValue",
                    "One or more parameters are invalid. Reason: Message must be shorter than " + maximumBytes
                            + " bytes.");
        }
        if (!body.codePoints().allMatch(EmulatedSqs::isAllowed)) {
            throw refused(
                    InvalidMessageContentsException.builder(),
                    "InvalidMessageContents",
                    "Invalid characters were found in the message body.");
        }
        if (delay < 0 || delay > MAX_DELAY_SECONDS) {
            throw refused("InvalidParameterValue", "DelaySeconds must be from 0 to " + MAX_DELAY_SECONDS + ".");
        }
        if (!request.messageAttributes().isEmpty()
                || !request.messageSystemAttributes().isEmpty()) {
            throw refused(
                    UnsupportedOperationException.builder(),
                    "UnsupportedOperation",
                    "Message attributes are not supported.");
        }
        Message message;
        try {
            message =
                    queues.send(queue, List.of(body), Duration.ofSeconds(delay)).get(0);
        } catch (DynamoDbException e) {
            throw notStored(e);
        }
        return SendMessageResponse.builder()
                .messageId(message.id())
                .md5OfMessageBody(message.md5OfBody())
                .build();
    }

    @Override
    public ReceiveMessageResponse receiveMessage(ReceiveMessageRequest request) {
        EmulatedQueue queue = queue(request.queueUrl());
        int limit = Optional.ofNullable(request.maxNumberOfMessages()).orElse(1);
        if (limit < 1 || limit > MAX_MESSAGES) {
            throw refused("ReadCountOutOfRange", "MaxNumberOfMessages must be from 1 to " + MAX_MESSAGES + ".");
        }
        return ReceiveMessageResponse.builder()
                .messages(queues.receive(queue.definition().url(), limit).stream()
                        .map(EmulatedSqs::message)
                        .toList())
                .build();
    }

    /** Deletes messages. As in SQS, a message that was received again since stays, without an error. */
    @Override
    public DeleteMessageBatchResponse deleteMessageBatch(DeleteMessageBatchRequest request) {
        EmulatedQueue queue = queue(request.queueUrl());
        List<DeleteMessageBatchRequestEntry> entries = request.entries();
        if (entries.isEmpty() || entries.size() > MAX_MESSAGES) {
            throw refused(
                    TooManyEntriesInBatchRequestException.builder(),
                    "TooManyEntriesInBatchRequest",
                    "A batch has 1 to " + MAX_MESSAGES + " entries.");
        }
        try {
            queue.delete(
                    entries.stream().map(entry -> text(entry.receiptHandle())).toList());
        } catch (DynamoDbException e) {
            throw notStored(e);
        }
        return DeleteMessageBatchResponse.builder()
                .successful(entries.stream()
                        .map(entry -> DeleteMessageBatchResultEntry.builder()
                                .id(entry.id())
                                .build())
                        .toList())
                .failed(List.of())
                .build();
    }

    @Override
    public ChangeMessageVisibilityResponse changeMessageVisibility(ChangeMessageVisibilityRequest request) {
        EmulatedQueue queue = queue(request.queueUrl());
        String handle = text(request.receiptHandle());
        Integer seconds = request.visibilityTimeout();
        if (handle.isEmpty() || seconds == null) {
            throw refused(
                    "MissingParameter",
                    "The request must contain the parameters ReceiptHandle and VisibilityTimeout, a number.");
        }
        if (seconds < 0 || seconds > MAX_HIDDEN_SECONDS) {
            throw refused("InvalidParameterValue", "VisibilityTimeout must be from 0 to " + MAX_HIDDEN_SECONDS + ".");
        }
        return switch (queues.hide(queue, handle, Duration.ofSeconds(seconds))) {
            case HIDDEN -> ChangeMessageVisibilityResponse.builder().build();
            case NOT_IN_FLIGHT ->
                throw refused(
                        MessageNotInflightException.builder(),
                        "MessageNotInflight",
                        "The message is not in flight: its visibility timeout is over.");
            case UNKNOWN ->
                throw refused(
                        "InvalidParameterValue",
                        "ReceiptHandle is invalid. Reason: Message does not exist or was received again.");
        };
    }

    private EmulatedQueue queue(String url) {
        return queues.atUrl(text(url))
                .orElseThrow(() -> refused(
                        QueueDoesNotExistException.builder(),
                        // The older name of the error, which the SDK reports as its code.
                        "AWS.SimpleQueueService.NonExistentQueue",
                        "The specified queue does not exist."));
    }

    private static software.amazon.awssdk.services.sqs.model.Message message(Received received) {
        return software.amazon.awssdk.services.sqs.model.Message.builder()
                .messageId(received.message().id())
                .receiptHandle(received.receiptHandle())
                .md5OfBody(received.message().md5OfBody())
                .body(received.message().body())
                .build();
    }

    private static String text(String optional) {
        return optional == null ? "" : optional;
    }

    private static AwsServiceException notStored(DynamoDbException cause) {
        return ServiceErrors.of(SqsException.builder().cause(cause), "Sqs", 500, "InternalError", cause.getMessage());
    }

    private static AwsServiceException refused(String code, String message) {
        return refused(SqsException.builder(), code, message);
    }

    private static AwsServiceException refused(AwsServiceException.Builder builder, String code, String message) {
        return ServiceErrors.of(builder, "Sqs", 400, code, message);
    }

    /** Returns true for the characters of XML 1.0, which SQS accepts. */
    private static boolean isAllowed(int codePoint) {
        return codePoint == 0x9
                || codePoint == 0xA
                || codePoint == 0xD
                || codePoint >= 0x20 && codePoint <= 0xD7FF
                || codePoint >= 0xE000 && codePoint <= 0xFFFD
                || codePoint >= 0x10000;
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {}
}
