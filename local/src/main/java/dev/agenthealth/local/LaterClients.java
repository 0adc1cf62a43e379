package dev.agenthealth.local;

import java.util.function.Supplier;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/**
 * Clients that are made at their first call: the first one loads 1,800 classes, and no answer to a request needs it. They support the
 * operations that functions call. Thread-safe where the supplier is; closing them does nothing, as the supplier's owner closes what it made.
 */
final class LaterClients {

    private LaterClients() {}

    static EventBridgeClient eventBridge(Supplier<EventBridgeClient> client) {
        return new EventBridgeClient() {
            @Override
            public PutEventsResponse putEvents(PutEventsRequest request) {
                return client.get().putEvents(request);
            }

            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }

    static SqsClient sqs(Supplier<SqsClient> client) {
        return new SqsClient() {
            @Override
            public SendMessageResponse sendMessage(SendMessageRequest request) {
                return client.get().sendMessage(request);
            }

            @Override
            public ReceiveMessageResponse receiveMessage(ReceiveMessageRequest request) {
                return client.get().receiveMessage(request);
            }

            @Override
            public DeleteMessageBatchResponse deleteMessageBatch(DeleteMessageBatchRequest request) {
                return client.get().deleteMessageBatch(request);
            }

            @Override
            public ChangeMessageVisibilityResponse changeMessageVisibility(ChangeMessageVisibilityRequest request) {
                return client.get().changeMessageVisibility(request);
            }

            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }
}
