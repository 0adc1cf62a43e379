package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sqs.SqsClient;

class LaterClientsTest {

    private final AtomicInteger made = new AtomicInteger();

    @Test
    void a_client_is_made_by_its_first_call_and_receives_it() {
        EventBridgeClient eventBridge = LaterClients.eventBridge(failing());
        SqsClient sqs = LaterClients.sqs(failing());
        eventBridge.close();
        sqs.close();
        assertThat(made).hasValue(0);
        assertThatThrownBy(() -> eventBridge.putEvents(request -> {})).hasMessage("made");
        assertThatThrownBy(() -> sqs.sendMessage(request -> {})).hasMessage("made");
        assertThatThrownBy(() -> sqs.receiveMessage(request -> {})).hasMessage("made");
        assertThatThrownBy(() -> sqs.deleteMessageBatch(request -> {})).hasMessage("made");
        assertThatThrownBy(() -> sqs.changeMessageVisibility(request -> {})).hasMessage("made");
        assertThat(made).hasValue(5);
    }

    private <C> Supplier<C> failing() {
        return () -> {
            made.incrementAndGet();
            throw new IllegalStateException("made");
        };
    }
}
