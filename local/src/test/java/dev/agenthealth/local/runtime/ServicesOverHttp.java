package dev.agenthealth.local.runtime;

import dev.agenthealth.emulator.http.Endpoint;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DecryptRequest;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyRequest;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/** Answers the requests of AWS's JSON protocol that functions send, by clients in this process. */
final class ServicesOverHttp implements Endpoint {

    private static final String CONTENT_TYPE = "application/x-amz-json-1.1";

    private final Map<String, Operation<?>> operations;

    private record Operation<Q>(Supplier<? extends SdkPojo> builder, Function<Q, ? extends SdkPojo> call) {

        @SuppressWarnings("unchecked")
        SdkPojo answer(byte[] body) throws IOException {
            return call.apply((Q) SdkJson.read(Json.read(body), builder.get()));
        }
    }

    ServicesOverHttp(EventBridgeClient eventBridge, SqsClient sqs, KmsClient kms) {
        operations = Map.of(
                "AWSEvents.PutEvents",
                new Operation<PutEventsRequest>(PutEventsRequest::builder, eventBridge::putEvents),
                "AmazonSQS.SendMessage",
                new Operation<SendMessageRequest>(SendMessageRequest::builder, sqs::sendMessage),
                "AmazonSQS.ReceiveMessage",
                new Operation<ReceiveMessageRequest>(ReceiveMessageRequest::builder, sqs::receiveMessage),
                "AmazonSQS.DeleteMessageBatch",
                new Operation<DeleteMessageBatchRequest>(DeleteMessageBatchRequest::builder, sqs::deleteMessageBatch),
                "AmazonSQS.ChangeMessageVisibility",
                new Operation<ChangeMessageVisibilityRequest>(
                        ChangeMessageVisibilityRequest::builder, sqs::changeMessageVisibility),
                "TrentService.GenerateDataKey",
                new Operation<GenerateDataKeyRequest>(GenerateDataKeyRequest::builder, kms::generateDataKey),
                "TrentService.Decrypt",
                new Operation<DecryptRequest>(DecryptRequest::builder, kms::decrypt));
    }

    @Override
    public RawResponse answer(RawRequest request) {
        Operation<?> operation = operations.get(request.header("X-Amz-Target"));
        if (operation == null) {
            return RawResponse.problem(400, "malformed_request", "This operation does not exist here.");
        }
        try {
            return RawResponse.of(200, CONTENT_TYPE, Json.bytes(SdkJson.write(operation.answer(request.body()))));
        } catch (AwsServiceException e) {
            String code = e.awsErrorDetails() == null
                    ? e.getClass().getSimpleName()
                    : e.awsErrorDetails().errorCode();
            return RawResponse.of(
                    e.statusCode() == 0 ? 400 : e.statusCode(),
                    CONTENT_TYPE,
                    Json.bytes(Json.object().put("__type", code).put("message", e.getMessage())));
        } catch (IOException e) {
            return RawResponse.problem(400, "malformed_request", "The request cannot be read.");
        }
    }
}
