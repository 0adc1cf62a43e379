package dev.agenthealth.emulator.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.QueueDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EmulatedQueueTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Duration VISIBILITY = Duration.ofSeconds(30);

    private static final Duration RETENTION = Duration.ofDays(4);

    private final EmulatedQueue queue = new EmulatedQueue(definition(VISIBILITY), MessageStore.none());

    private static QueueDefinition definition(Duration visibility) {
        return new QueueDefinition(
                "Q",
                "Q",
                new QueueDefinition.Address("url", "arn"),
                visibility,
                RETENTION,
                1_000,
                new QueueDefinition.Redrive("arn:letters", 2));
    }

    private void add(String id, Instant visibleFrom) {
        queue.add(List.of(new Message(id, "text", NOW)), visibleFrom);
    }

    private static List<String> ids(List<Received> received) {
        return received.stream().map(each -> each.message().id()).toList();
    }

    @Test
    void a_delayed_message_is_received_when_its_delay_is_over() {
        add("late", NOW.plusSeconds(5));
        add("soon", NOW);
        assertThat(ids(queue.receive(10, NOW))).containsExactly("soon");
        assertThat(ids(queue.receive(10, NOW.plusSeconds(5)))).containsExactly("late");
    }

    @Test
    void many_receivers_never_get_the_same_message_at_the_same_time() {
        IntStream.range(0, 1_000).forEach(i -> add("m" + i, NOW));
        List<String> received = IntStream.range(0, 400)
                .parallel()
                .mapToObj(i -> ids(queue.receive(3, NOW)))
                .flatMap(List::stream)
                .toList();
        assertThat(received).hasSize(1_000).doesNotHaveDuplicates();
    }

    @Test
    void a_receipt_that_expired_deletes_nothing() {
        add("m", NOW);
        Received slow = queue.receive(1, NOW).get(0);
        Received quick = queue.receive(1, NOW.plus(VISIBILITY)).get(0);
        assertThat(quick.receives()).isEqualTo(2);
        assertThat(quick.firstReceivedAt()).isEqualTo(NOW);
        queue.delete(List.of(slow.receiptHandle()));
        assertThat(queue.size()).isEqualTo(1);
        queue.delete(List.of(quick.receiptHandle()));
        assertThat(queue.size()).isZero();
    }

    @Test
    void a_receiver_sets_how_long_its_message_stays_hidden() {
        add("m", NOW);
        String handle = queue.receive(1, NOW).get(0).receiptHandle();
        assertThat(queue.hide(handle, NOW.plusSeconds(1), NOW.plusSeconds(6))).isEqualTo(Hiding.HIDDEN);
        assertThat(queue.receive(1, NOW.plusSeconds(5))).isEmpty();
        assertThat(queue.hide(handle, NOW.plusSeconds(5), NOW.plusSeconds(40))).isEqualTo(Hiding.HIDDEN);
        assertThat(queue.receive(1, NOW.plus(VISIBILITY)))
                .as("longer than the queue does")
                .isEmpty();
        Received again = queue.receive(1, NOW.plusSeconds(40)).get(0);
        assertThat(again.receives()).isEqualTo(2);
        assertThat(again.firstReceivedAt()).isEqualTo(NOW);
    }

    @Test
    void a_receipt_that_expired_hides_nothing() {
        add("m", NOW);
        Received slow = queue.receive(1, NOW).get(0);
        Instant over = NOW.plus(VISIBILITY);
        assertThat(queue.hide(slow.receiptHandle(), over, over.plusSeconds(5))).isEqualTo(Hiding.NOT_IN_FLIGHT);
        Received quick = queue.receive(1, over).get(0);
        assertThat(queue.hide(slow.receiptHandle(), over, over)).isEqualTo(Hiding.UNKNOWN);
        assertThat(queue.receive(1, over)).isEmpty();
        queue.delete(List.of(quick.receiptHandle()));
        assertThat(queue.hide(quick.receiptHandle(), over, over)).isEqualTo(Hiding.UNKNOWN);
    }

    @Test
    void a_message_that_was_not_received_cannot_be_hidden() {
        add("m", NOW);
        assertThat(queue.hide("", NOW, NOW.plusSeconds(5))).isEqualTo(Hiding.UNKNOWN);
        assertThat(ids(queue.receive(1, NOW))).containsExactly("m");
    }

    @Test
    void what_was_received_too_often_is_handed_out_no_more() {
        add("m", NOW);
        queue.receive(1, NOW);
        queue.receive(1, NOW.plus(VISIBILITY));
        assertThat(queue.spent(NOW.plus(VISIBILITY)))
                .as("its last receiver may still succeed")
                .isEmpty();
        Instant over = NOW.plus(VISIBILITY.multipliedBy(2));
        assertThat(queue.receive(1, over)).isEmpty();
        assertThat(ids(queue.spent(over))).containsExactly("m");
    }

    @Test
    void a_clock_that_was_set_back_hides_no_message() {
        add("m", NOW);
        queue.receive(1, NOW.plus(Duration.ofDays(1)));
        assertThat(ids(queue.receive(1, NOW))).containsExactly("m");
    }

    @Test
    void a_queue_without_a_visibility_timeout_gives_a_receiver_each_message_once() {
        EmulatedQueue open = new EmulatedQueue(definition(Duration.ZERO), MessageStore.none());
        open.add(List.of(new Message("a", "text", NOW), new Message("b", "text", NOW)), NOW);
        assertThat(ids(open.receive(10, NOW))).containsExactly("a", "b");
        assertThat(ids(open.receive(10, NOW))).containsExactly("a", "b");
    }

    @Test
    void a_message_is_forgotten_after_the_retention_whatever_the_order_of_sending() {
        queue.add(List.of(new Message("ahead", "text", NOW.plus(Duration.ofDays(1)))), NOW);
        add("m", NOW);
        assertThat(ids(queue.receive(10, NOW.plus(RETENTION).plusSeconds(1)))).containsExactly("ahead");
        assertThat(queue.size()).isEqualTo(1);
    }

    /** Half of the messages wait, half are in flight. */
    @Test
    void each_operation_takes_few_steps_whatever_waits() {
        long few = stepsOfEachOperation(1_000);
        long many = stepsOfEachOperation(100_000);
        assertThat(few).isPositive();
        // A search in a sorted set of 100,000 takes 7 steps more than in a set of 1,000, and an operation makes some
        // searches.
        assertThat(many).isLessThan(3 * few);
    }

    private static long stepsOfEachOperation(int size) {
        AtomicLong steps = new AtomicLong();
        EmulatedQueue full = new EmulatedQueue(definition(VISIBILITY), MessageStore.none(), steps::incrementAndGet);
        IntStream.range(0, size).forEach(i -> full.add(List.of(new Message("m" + i, "text", NOW.plusMillis(i))), NOW));
        Instant now = NOW.plusMillis(size);
        List<Received> taken = full.receive(size / 2, now);
        steps.set(0);
        full.add(List.of(new Message("more", "text", now)), now);
        full.receive(10, now);
        full.spent(now);
        full.delete(List.of(taken.get(0).receiptHandle(), taken.get(size / 4).receiptHandle()));
        full.hide(taken.get(size / 3).receiptHandle(), now, now.plusSeconds(60));
        return steps.get();
    }
}
