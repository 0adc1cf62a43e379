package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.time.Duration;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The queue of asynchronous invocations. A message contains only the id of a receipt, and nothing of the content. Thread-safe. */
final class InvocationQueue {

    private final SqsClient sqs;
    private final String url;

    InvocationQueue(Wiring wiring) {
        this.sqs = wiring.sqs().get();
        this.url = wiring.get(FunctionSettings.INVOCATION_QUEUE_URL);
    }

    /**
     * Sends an invocation to the queue, which delivers it at least once.
     *
     * @throws RuntimeException if it may not have been sent
     */
    void send(String receiptId) {
        sqs.sendMessage(r -> r.queueUrl(url).messageBody(receiptId));
    }

    /**
     * Makes the queue deliver an unacknowledged message again after a pause instead of its visibility timeout.
     *
     * @param delivery the SQS receipt handle of the message
     * @param pause in whole seconds, from now
     * @throws RuntimeException if the visibility timeout may still apply
     */
    void redeliver(String delivery, Duration pause) {
        sqs.changeMessageVisibility(
                r -> r.queueUrl(url).receiptHandle(delivery).visibilityTimeout((int) pause.toSeconds()));
    }
}
