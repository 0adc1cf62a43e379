package dev.agenthealth.emulator.apigateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.emulator.http.Share;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LongRequestsTest {

    private static final long LONG = 2 * LongRequests.MIN_NANOS;

    private static final Share HEARTBEATS = new Share("heartbeats", 64, 4_096, Share.Kind.BRIEF);

    /** On the clock, beyond the processor's time. */
    private long clock;

    private long now;
    private long slept;

    private final LongRequests requests = new LongRequests(() -> now + clock, () -> now, millis -> {
        clock += TimeUnit.MILLISECONDS.toNanos(millis);
        slept += millis;
    });

    private String take(String kind, long nanos) {
        return requests.run(Share.COMMON, kind, () -> {
            now += nanos;
            return kind;
        });
    }

    private void learn(String kind) {
        for (int i = 0; i < 4; i++) {
            take(kind, LONG);
        }
    }

    /** Runs an action while heartbeats are in progress. */
    private void beside(int heartbeats, Runnable action) {
        beside(HEARTBEATS, heartbeats, action);
    }

    /** Runs an action while short requests are in progress. */
    private void beside(Share share, int shortRequests, Runnable action) {
        if (shortRequests == 0) {
            action.run();
        } else {
            requests.run(share, "short", () -> {
                beside(share, shortRequests - 1, action);
                return "short";
            });
        }
    }

    private long sleptNanos() {
        return TimeUnit.MILLISECONDS.toNanos(slept);
    }

    @Test
    void a_long_request_waits_less_beside_short_requests_that_are_no_heartbeats() {
        learn("list");
        beside(Share.COMMON, LongRequests.BUSY, () -> take("list", LONG));
        assertThat(sleptNanos()).isBetween(LONG, LONG * LongRequests.PAUSE_FACTOR_WITHOUT_BRIEF + LONG);
    }

    @Test
    void one_heartbeat_beside_another_short_request_makes_a_long_request_wait_long() {
        learn("list");
        beside(HEARTBEATS, 1, () -> beside(Share.COMMON, LongRequests.BUSY - 1, () -> take("list", LONG)));
        assertThat(sleptNanos()).isGreaterThan(LONG * LongRequests.PAUSE_FACTOR / 2);
    }

    @Test
    void a_long_request_waits_while_several_short_ones_are_in_progress() {
        learn("list");
        beside(LongRequests.BUSY, () -> take("list", LONG));
        assertThat(sleptNanos()).isGreaterThan(LONG * LongRequests.PAUSE_FACTOR / 2);
    }

    @Test
    void a_long_request_waits_while_short_ones_follow_each_other_closely() {
        AtomicInteger sleeps = new AtomicInteger();
        LongRequests closely = new LongRequests(() -> now + clock, () -> now, millis -> {
            sleeps.incrementAndGet();
            clock += TimeUnit.MILLISECONDS.toNanos(millis);
        });
        for (int i = 0; i < 4; i++) {
            closely.run(Share.COMMON, "list", () -> now += LONG);
        }
        for (int i = 0; i < LongRequests.BUSY; i++) {
            closely.run(HEARTBEATS, "short", () -> now += 1);
        }
        closely.run(Share.COMMON, "list", () -> now += LONG);
        assertThat(sleeps).as("until no short request follows").hasValue(1);
    }

    /** Sends heartbeats with this pause before each, and then takes a long request. Heartbeats go on while it waits, if {@code goOn}. */
    private long sleptAfterHeartbeats(long pauseNanos, boolean goOn) {
        LongRequests[] sent = new LongRequests[1];
        AtomicInteger sleeps = new AtomicInteger();
        Runnable heartbeat = () -> {
            clock += pauseNanos;
            sent[0].run(HEARTBEATS, "heartbeat", () -> now += 1);
        };
        sent[0] = new LongRequests(() -> now + clock, () -> now, millis -> {
            sleeps.incrementAndGet();
            clock += TimeUnit.MILLISECONDS.toNanos(millis);
            if (goOn) {
                for (int i = 0; i < CurrentRequests.FREQUENT; i++) {
                    sent[0].run(HEARTBEATS, "heartbeat", () -> now += 1);
                }
                clock += 2 * TimeUnit.MILLISECONDS.toNanos(1);
            }
        });
        for (int i = 0; i < 4; i++) {
            sent[0].run(Share.COMMON, "list", () -> now += LONG);
        }
        for (int i = 0; i < CurrentRequests.FREQUENT; i++) {
            heartbeat.run();
        }
        clock += 2 * TimeUnit.MILLISECONDS.toNanos(1);
        sent[0].run(Share.COMMON, "list", () -> now += LONG);
        return TimeUnit.MILLISECONDS.toNanos(sleeps.get());
    }

    @Test
    void a_moment_without_heartbeats_ends_no_pause_beside_frequent_heartbeats() {
        assertThat(3 * sleptAfterHeartbeats(1_000, true)).isGreaterThan(LONG * LongRequests.PAUSE_FACTOR / 2);
    }

    @Test
    void a_pause_ends_soon_after_the_last_of_frequent_heartbeats() {
        assertThat(sleptAfterHeartbeats(1_000, false)).isPositive().isLessThanOrEqualTo(CurrentRequests.FREQUENT_NANOS);
    }

    @Test
    void heartbeats_that_are_rare_make_no_long_request_wait() {
        assertThat(sleptAfterHeartbeats(CurrentRequests.FREQUENT_NANOS / CurrentRequests.FREQUENT * 2, false))
                .isZero();
    }

    @Test
    void a_long_request_does_not_wait_without_short_ones() {
        learn("list");
        beside(LongRequests.BUSY - 1, () -> take("list", LONG));
        take("list", LONG);
        assertThat(slept).isZero();
    }

    @Test
    void no_pause_is_longer_than_the_maximum() {
        for (int i = 0; i < 4; i++) {
            take("list", 100 * LONG);
        }
        beside(LongRequests.BUSY, () -> take("list", LONG));
        assertThat(slept).isLessThanOrEqualTo(LongRequests.MAX_PAUSE.toMillis());
    }

    @Test
    void a_kind_that_has_become_short_waits_no_more() {
        learn("list");
        for (int i = 0; i < 8; i++) {
            take("list", 1);
        }
        beside(LongRequests.BUSY, () -> take("list", 1));
        assertThat(slept).isZero();
    }

    @Test
    void requests_that_wait_for_others_do_not_count() {
        for (int i = 0; i < 4; i++) {
            requests.run(Share.COMMON, "call", () -> {
                clock += 2 * LongRequests.MAX_BUSY_NANOS;
                return "call";
            });
        }
        learn("list");
        requests.run(Share.COMMON, "call", () -> requests.run(Share.COMMON, "call", () -> take("list", LONG)));
        assertThat(slept).isZero();
    }

    @Test
    void requests_of_a_share_that_waits_for_others_have_no_turn_however_much_processor_time_they_take() {
        Share calls = new Share("calls", 512, 256, Share.Kind.WAITING);
        Runnable call = () -> requests.run(calls, "call", () -> {
            now += LONG;
            return "call";
        });
        for (int i = 0; i < 4; i++) {
            call.run();
        }
        learn("list");
        beside(LongRequests.BUSY, call);
        assertThat(slept).isZero();
    }

    @Test
    void requests_of_a_brief_share_never_wait_for_a_turn() {
        for (int i = 0; i < 4; i++) {
            requests.run(HEARTBEATS, "slow heartbeat", () -> now += LONG);
        }
        learn("list");
        beside(LongRequests.BUSY, () -> requests.run(HEARTBEATS, "slow heartbeat", () -> now += LONG));
        assertThat(slept).isZero();
    }

    @Test
    void one_request_that_took_long_makes_no_kind_long() {
        take("heartbeat", LongRequests.MIN_NANOS);
        beside(LongRequests.BUSY, () -> take("heartbeat", 1));
        assertThat(slept).isZero();
    }

    @Test
    void the_processor_time_of_brief_requests_is_not_asked_for() {
        AtomicInteger asked = new AtomicInteger();
        LongRequests counted = new LongRequests(
                () -> now,
                () -> {
                    asked.incrementAndGet();
                    return now;
                },
                millis -> {});
        for (int i = 0; i < 100; i++) {
            counted.run(Share.COMMON, "heartbeat", () -> now += LongRequests.BRIEF_NANOS / 10);
        }
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_brief_kind_that_becomes_long_waits() {
        take("list", 1);
        for (int i = 0; i < 6; i++) {
            take("list", LONG);
        }
        beside(LongRequests.BUSY, () -> take("list", LONG));
        assertThat(slept).isPositive();
    }
}
