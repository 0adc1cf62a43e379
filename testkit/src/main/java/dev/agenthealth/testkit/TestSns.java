package dev.agenthealth.testkit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.PublishRequest;
import software.amazon.awssdk.services.sns.model.PublishResponse;
import software.amazon.awssdk.services.sns.model.SubscribeRequest;
import software.amazon.awssdk.services.sns.model.SubscribeResponse;

/** The two operations of SNS that e-mail needs. An address gets messages after it confirmed its subscription. Thread-safe. */
public final class TestSns {

    private final ScriptedCalls<SubscribeRequest, SubscribeResponse> subscribeCalls =
            new ScriptedCalls<>(this::subscribed);
    private final ScriptedCalls<PublishRequest, PublishResponse> publishCalls = new ScriptedCalls<>(
            request -> PublishResponse.builder().messageId("1").build());
    private final Set<String> confirmed = new HashSet<>();

    public SnsClient client() {
        return new SnsClient() {
            @Override
            public SubscribeResponse subscribe(SubscribeRequest request) {
                return subscribeCalls.call(request);
            }

            @Override
            public PublishResponse publish(PublishRequest request) {
                return publishCalls.call(request);
            }

            @Override
            public String serviceName() {
                return SERVICE_NAME;
            }

            @Override
            public void close() {}
        };
    }

    /** Confirms the subscription, as the address's owner does by the link in the confirmation message. */
    public synchronized void confirm(String address) {
        confirmed.add(address);
    }

    /** Returns the requested subscriptions, oldest first. */
    public List<SubscribeRequest> subscriptions() {
        return subscribeCalls.requests();
    }

    /** Returns the sent messages, accepted or not, oldest first. */
    public List<PublishRequest> messages() {
        return publishCalls.requests();
    }

    /** Fails the next subscription. */
    public void failSubscription(SdkException failure) {
        subscribeCalls.failNext(failure);
    }

    /** Fails the next message. */
    public void failMessage(SdkException failure) {
        publishCalls.failNext(failure);
    }

    private synchronized SubscribeResponse subscribed(SubscribeRequest request) {
        String arn =
                confirmed.contains(request.endpoint()) ? request.topicArn() + ":subscription" : "pending confirmation";
        return SubscribeResponse.builder().subscriptionArn(arn).build();
    }
}
