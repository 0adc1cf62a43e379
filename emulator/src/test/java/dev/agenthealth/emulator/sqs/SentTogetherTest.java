package dev.agenthealth.emulator.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.template.QueueDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Messages that the delivery of a batch of the stream sends, and the changes of the store that they cost. */
class SentTogetherTest {

    private final List<String> changes = new ArrayList<>();
    private boolean fails;

    private final EmulatedQueues queues = new EmulatedQueues(
            List.of(definition("a"), definition("b")),
            this::store,
            Clock.fixed(Instant.parse("2026-02-08T10:00:00Z"), ZoneOffset.UTC));

    private static QueueDefinition definition(String name) {
        return new QueueDefinition(
                name,
                name,
                new QueueDefinition.Address("url:" + name, "arn:" + name),
                Duration.ofSeconds(30),
                Duration.ofDays(1),
                1_000,
                new QueueDefinition.Redrive("", 0));
    }

    private MessageStore store(String queue) {
        return new MessageStore() {
            @Override
            public List<Message> load() {
                return List.of();
            }

            @Override
            public void keep(List<Message> messages, boolean synced) {
                if (fails) {
                    throw new IllegalStateException("the disk is full");
                }
                changes.add(queue + " " + messages.size() + (synced ? " synced" : ""));
            }

            @Override
            public void forget(List<Message> messages) {}
        };
    }

    @Test
    void many_requests_of_one_batch_are_one_change_for_each_queue_at_its_end() {
        int taken = queues.together(() -> {
            for (int i = 0; i < 10; i++) {
                queues.send("arn:a", List.of("one", "two"));
            }
            queues.send("arn:b", List.of("three"));
            assertThat(changes).isEmpty();
            assertThat(queues.receive("url:a", 1)).isEmpty();
            return 21;
        });
        assertThat(taken).isEqualTo(21);
        assertThat(changes).containsExactly("a 20", "b 1");
        assertThat(queues.receive("url:a", 10))
                .extracting(Received::message)
                .extracting(Message::body)
                .containsOnly("one", "two")
                .hasSize(10);
    }

    @Test
    void messages_of_a_failed_batch_are_stored_because_the_bus_has_accepted_them() {
        assertThatThrownBy(() -> queues.together(() -> {
                    queues.send("arn:a", List.of("one"));
                    throw new IllegalStateException("the function failed");
                }))
                .hasMessage("the function failed");
        assertThat(changes).containsExactly("a 1");
    }

    @Test
    void a_batch_fails_if_its_messages_cannot_be_stored() {
        fails = true;
        assertThatThrownBy(() -> queues.together(() -> {
                    queues.send("arn:a", List.of("one"));
                    return 1;
                }))
                .hasMessage("the disk is full");
        assertThat(queues.size("a")).isZero();
    }

    @Test
    void messages_of_other_threads_and_after_the_batch_are_on_the_disk_at_once() {
        queues.together(() -> {
            CompletableFuture.runAsync(() -> queues.send("arn:a", List.of("other")))
                    .join();
            assertThat(changes).containsExactly("a 1 synced");
            return 0;
        });
        queues.send("arn:b", List.of("later"));
        assertThat(changes).containsExactly("a 1 synced", "b 1 synced");
    }
}
