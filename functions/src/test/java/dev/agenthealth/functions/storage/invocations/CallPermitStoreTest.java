package dev.agenthealth.functions.storage.invocations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.invocations.CallPermitStore.Permit;
import dev.agenthealth.functions.testing.TestSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The permits of calls under way: never more holders than permits, and no permit is lost. */
@Tag("SN-07")
class CallPermitStoreTest {

    private static final Duration LONGEST = Duration.ofSeconds(60);

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final CallPermitStore store = new CallPermitStore(system.database());

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 50, 51, 120})
    void as_many_calls_as_there_are_permits_get_one_each(int permits) {
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < permits; i++) {
            numbers.add(take("call-" + i, permits).orElseThrow().number());
        }
        assertThat(numbers).hasSize(permits).allMatch(number -> number >= 0 && number < permits);
        assertThat(take("one-more", permits)).isEmpty();
    }

    @Test
    void a_permit_that_is_given_back_is_free_at_once() {
        Permit permit = take("a", 1).orElseThrow();
        assertThat(take("b", 1)).isEmpty();
        store.giveBack(permit);
        assertThat(take("b", 1)).isPresent();
    }

    @Test
    void a_short_call_does_not_take_the_permit_of_a_long_one() {
        Permit held = store.take("g", "stream", 1, CallPermitStore.MAX_HELD).orElseThrow();
        assertThat(store.take("g", "call", 1, LONGEST)).isEmpty();
        system.clock().advance(CallPermitStore.MAX_HELD.minusMillis(1));
        assertThat(store.take("g", "call", 1, LONGEST)).isEmpty();
        store.giveBack(held);
        assertThat(store.take("g", "call", 1, LONGEST)).isPresent();
    }

    @Test
    void a_permit_whose_holder_crashed_is_free_when_no_call_can_last_any_longer() {
        take("crashed", 1);
        system.clock().advance(LONGEST.minusMillis(1));
        assertThat(take("b", 1)).isEmpty();
        system.clock().advance(Duration.ofMillis(1));
        assertThat(take("b", 1)).isPresent();
    }

    @Test
    void a_permit_is_not_lost_with_the_response_of_the_write_that_takes_it() {
        system.faults().loseAnswerOf(UpdateItemRequest.class);
        Permit permit = take("a", 2).orElseThrow();
        assertThat(take("b", 2)).isPresent();
        assertThat(take("c", 2)).isEmpty();
        store.giveBack(permit);
        assertThat(take("c", 2)).isPresent();
    }

    @Test
    void a_holder_that_is_too_late_takes_the_permit_from_no_other() {
        Permit late = take("late", 1).orElseThrow();
        system.clock().advance(LONGEST);
        Permit next = take("next", 1).orElseThrow();
        store.giveBack(late);
        assertThat(take("third", 1)).isEmpty();
        store.giveBack(next);
        store.giveBack(next);
        assertThat(take("third", 1)).isPresent();
    }

    @Test
    void a_smaller_number_of_permits_holds_for_new_calls() {
        List<Permit> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            taken.add(take("call-" + i, 3).orElseThrow());
        }
        assertThat(take("more", 2)).isEmpty();
        taken.stream().filter(permit -> permit.number() == 2).forEach(store::giveBack);
        assertThat(take("more", 2)).isEmpty();
        taken.stream().filter(permit -> permit.number() == 1).forEach(store::giveBack);
        assertThat(take("more", 2)).isPresent();
    }

    @Test
    void a_clock_that_was_far_ahead_blocks_no_permit() {
        system.clock().advance(Duration.ofDays(1));
        take("ahead", 1);
        system.clock().advance(Duration.ofDays(-1));
        assertThat(take("b", 1)).isPresent();
        assertThat(take("c", 1)).isEmpty();
    }

    @Test
    void concurrent_calls_never_hold_more_permits_than_there_are() throws Exception {
        int permits = 5;
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Callable<Integer> calls = () -> {
            Random random = new Random();
            int admitted = 0;
            for (int i = 0; i < 25; i++) {
                Optional<Permit> permit = take("call-" + random.nextLong(), permits);
                if (permit.isPresent()) {
                    admitted++;
                    most.accumulateAndGet(holders.incrementAndGet(), Math::max);
                    holders.decrementAndGet();
                    store.giveBack(permit.get());
                }
            }
            return admitted;
        };
        ExecutorService threads = Executors.newFixedThreadPool(12);
        int admitted = 0;
        for (Future<Integer> result : threads.invokeAll(Collections.nCopies(12, calls))) {
            admitted += result.get();
        }
        threads.shutdown();
        assertThat(most.get()).isBetween(1, permits);
        assertThat(admitted).isPositive();
        for (int i = 0; i < permits; i++) {
            assertThat(take("after-" + i, permits)).as("no permit is lost").isPresent();
        }
    }

    @Test
    void of_calls_that_come_at_once_exactly_as_many_are_admitted_as_there_are_permits() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(12);
        AtomicInteger number = new AtomicInteger();
        Callable<Boolean> call =
                () -> take("call-" + number.incrementAndGet(), 5).isPresent();
        int admitted = 0;
        for (Future<Boolean> result : threads.invokeAll(Collections.nCopies(40, call))) {
            admitted += result.get() ? 1 : 0;
        }
        threads.shutdown();
        assertThat(admitted).isEqualTo(5);
    }

    @Test
    void a_permit_costs_one_write_unit_to_take_and_one_to_give_back() {
        for (int i = 0; i < 49; i++) {
            take("call-" + i, 50);
        }
        system.meter().reset();
        Permit permit = take("call-49", 50).orElseThrow();
        assertThat(system.meter().writeUnits()).as("one that fails, and one").isLessThanOrEqualTo(2);
        system.meter().reset();
        store.giveBack(permit);
        assertThat(system.meter().operations()).containsExactly("UpdateItem");
        assertThat(system.meter().writeUnits()).isEqualTo(1);
    }

    private Optional<Permit> take(String callId, int permits) {
        return store.take("ALL", callId, permits, LONGEST);
    }
}
