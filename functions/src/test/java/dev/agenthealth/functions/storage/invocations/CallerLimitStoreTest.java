package dev.agenthealth.functions.storage.invocations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.gateway.CallerLimit;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of a caller under concurrent use. */
@Tag("SN-07")
class CallerLimitStoreTest {

    private static final CallerLimit LIMIT = new CallerLimit(10, 20);

    @AutoClose
    private final TestSystem system = new TestSystem();

    @Test
    void sixteen_concurrent_threads_get_exactly_the_limit() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        for (int round = 0; round < 4; round++) {
            // The allowance regains ten invocations before the second round, all twenty before the third and fourth.
            system.clock().advance(round < 2 ? Duration.ofSeconds(round) : Duration.ofHours(1));
            assertThat(admitted(threads, 160)).isEqualTo(round == 1 ? 10 : 20);
        }
        threads.shutdown();
    }

    private long admitted(ExecutorService threads, int tries) throws Exception {
        CallerLimitStore store = new CallerLimitStore(system.database());
        Callable<Duration> one = () -> store.take("key_1", LIMIT);
        long through = 0;
        for (Future<Duration> wait : threads.invokeAll(Collections.nCopies(tries, one))) {
            through += wait.get().isZero() ? 1 : 0;
        }
        return through;
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2", "10, 20", "1000, 5"})
    void a_caller_is_admitted_after_the_returned_wait_and_not_a_millisecond_before(int perSecond, int burst) {
        CallerLimitStore store = new CallerLimitStore(system.database());
        CallerLimit limit = new CallerLimit(perSecond, burst);
        for (int i = 0; i < burst; i++) {
            assertThat(store.take("key_1", limit)).isZero();
        }
        for (int i = 0; i < 5; i++) {
            Duration wait = store.take("key_1", limit);
            assertThat(wait).isPositive();
            Duration millis = Duration.ofMillis(wait.plusNanos(999_999).toMillis());
            system.clock().advance(millis.minusMillis(1));
            if (millis.toMillis() > 1) {
                assertThat(store.take("key_1", limit)).isPositive();
            }
            system.clock().advance(Duration.ofMillis(1));
            assertThat(store.take("key_1", limit)).isZero();
        }
    }

    @Test
    void invocations_admitted_under_a_larger_limit_do_not_delay_those_under_a_smaller_one() {
        CallerLimitStore store = new CallerLimitStore(system.database());
        CallerLimit generous = new CallerLimit(1, 64);
        for (int i = 0; i < 64; i++) {
            assertThat(store.take("key_1", generous)).isZero();
        }
        assertThat(store.take("key_1", generous)).isEqualTo(Duration.ofSeconds(1));
        for (int i = 0; i < 20; i++) {
            assertThat(store.take("key_1", LIMIT)).isZero();
        }
        assertThat(store.take("key_1", LIMIT)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void a_clock_set_back_delays_a_caller_by_at_most_that_time_or_a_minute() {
        CallerLimitStore store = new CallerLimitStore(system.database());
        system.clock().advance(Duration.ofDays(1));
        for (int i = 0; i < 20; i++) {
            assertThat(store.take("key_1", LIMIT)).isZero();
        }
        system.clock().advance(Duration.ofSeconds(-60));
        assertThat(store.take("key_1", LIMIT)).isEqualTo(Duration.ofMillis(60_100));
        system.clock().advance(Duration.ofMillis(-1));
        assertThat(store.take("key_1", LIMIT)).isZero();
    }

    @Test
    void each_caller_has_a_limit_of_its_own() {
        CallerLimitStore store = new CallerLimitStore(system.database());
        CallerLimit one = new CallerLimit(1, 1);
        for (String keyId : List.of("key_1", "key_2")) {
            assertThat(store.take(keyId, one)).isZero();
            assertThat(store.take(keyId, one)).isPositive();
        }
    }

    @Test
    void an_invocation_costs_one_write_with_a_full_allowance_and_two_in_a_burst() {
        CallerLimitStore store = new CallerLimitStore(system.database());
        system.meter().reset();
        store.take("key_1", LIMIT);
        assertThat(system.meter().operations()).hasSize(1);
        store.take("key_1", LIMIT);
        assertThat(system.meter().operations()).hasSize(3);
    }
}
