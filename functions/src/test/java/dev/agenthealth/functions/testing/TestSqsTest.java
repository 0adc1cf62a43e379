package dev.agenthealth.functions.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** The queue service that tests use, called by the real client, which checks the digest of what was sent. */
class TestSqsTest {

    private static final String URL = "https://sqs.us-east-1.amazonaws.com/000000000000/InvocationQueue";

    private final TestSqs sqs = new TestSqs();

    @AfterEach
    void close() {
        sqs.close();
    }

    private String send(String body) {
        return sqs.client()
                .sendMessage(request -> request.queueUrl(URL).messageBody(body))
                .messageId();
    }

    @Test
    void a_message_is_kept_with_the_queue_it_was_sent_to() {
        String id = send("Zoë 🤖");
        assertThat(sqs.messages()).containsExactly(new TestSqs.Message(URL, id, "Zoë 🤖"));
        assertThat(TestSqs.arn(URL)).isEqualTo("arn:aws:sqs:us-east-1:000000000000:InvocationQueue");
    }

    @Test
    void a_service_that_fails_for_a_moment_is_asked_again() {
        sqs.fail(500, "InternalFailure");
        send("one");
        assertThat(sqs.messages()).hasSize(1);
    }

    @Test
    void a_refusal_is_told() {
        sqs.fail(400, "QueueDoesNotExist");
        assertThatThrownBy(() -> send("one")).isInstanceOf(QueueDoesNotExistException.class);
        assertThat(sqs.messages()).isEmpty();
    }
}
