package dev.agenthealth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** The queue service that tests use. */
class TestSqsTest {

    private static final String URL = "https://sqs.us-east-1.amazonaws.com/000000000000/InvocationQueue";

    private final TestSqs sqs = new TestSqs(URL);

    private String send(String body) {
        return sqs.client()
                .sendMessage(request -> request.queueUrl(URL).messageBody(body))
                .messageId();
    }

    @Test
    void a_message_is_kept_with_the_queue_it_was_sent_to() {
        String id = send("Zoë 🤖");
        assertThat(sqs.messages())
                .containsExactly(new TestSqs.Message(
                        URL, id, "Zoë 🤖", sqs.messages().get(0).receiptHandle()));
        assertThat(TestSqs.arn(URL)).isEqualTo("arn:aws:sqs:us-east-1:000000000000:InvocationQueue");
    }

    @Test
    void a_message_that_is_to_come_again_is_named_by_its_delivery() {
        String id = send("one");
        sqs.client().changeMessageVisibility(request -> request.queueUrl(URL)
                .receiptHandle(sqs.messages().get(0).receiptHandle())
                .visibilityTimeout(5));
        assertThat(sqs.redeliveries()).containsExactly(new TestSqs.Redelivery(URL, id, 5));
        assertThatThrownBy(() -> sqs.client()
                        .changeMessageVisibility(request ->
                                request.queueUrl(URL).receiptHandle("another").visibilityTimeout(5)))
                .isInstanceOf(SqsException.class)
                .hasMessageContaining("ReceiptHandle is invalid");
    }

    @Test
    void a_refusal_is_reported() {
        sqs.failSend(QueueDoesNotExistException.builder().build());
        assertThatThrownBy(() -> send("one")).isInstanceOf(QueueDoesNotExistException.class);
        assertThat(sqs.messages()).isEmpty();
    }
}
