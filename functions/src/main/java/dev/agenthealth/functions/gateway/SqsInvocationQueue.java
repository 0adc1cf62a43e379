package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.wiring.Wiring;
import java.time.Duration;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The queue of the deployed system. A message names a receipt and holds nothing of what is invoked. Thread-safe. */
final class SqsInvocationQueue implements InvocationQueue {

    private final SqsClient sqs;
    private final String url;

    SqsInvocationQueue(Wiring wiring) {
        this.sqs = wiring.sqs().get();
        this.url = wiring.required("INVOCATION_QUEUE_URL");
    }

    @Override
    public void send(String receiptId) {
        sqs.sendMessage(r -> r.queueUrl(url).messageBody(receiptId));
    }

    @Override
    public void redeliver(String delivery, Duration pause) {
        sqs.changeMessageVisibility(
                r -> r.queueUrl(url).receiptHandle(delivery).visibilityTimeout((int) pause.toSeconds()));
    }
}
