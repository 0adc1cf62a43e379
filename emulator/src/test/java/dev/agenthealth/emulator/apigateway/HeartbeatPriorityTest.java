package dev.agenthealth.emulator.apigateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When lists give way to heartbeats, on a clock that only lists and waiting move. */
class HeartbeatPriorityTest {

    private static final String ROUTE = "GET /agents";
    private static final Duration LIST = Duration.ofMillis(20);

    private final HeartbeatPriority priority = new HeartbeatPriority(() -> this.now, this::sleep);
    private Runnable meanwhile = () -> {};
    private long now;
    private long waited;

    private void sleep(long nanos) {
        now += nanos;
        waited += nanos;
        meanwhile.run();
    }

    private long list(String route, Duration time) {
        long before = waited;
        priority.list(route, () -> now += time.toNanos());
        return Duration.ofNanos(waited - before).toMillis();
    }

    private void heartbeat() {
        priority.heartbeat(() -> "counted");
    }

    private void heartbeatsArriveWithoutAPause() {
        heartbeat();
        meanwhile = this::heartbeat;
    }

    @Test
    void listsDoNotWaitWithoutHeartbeats() {
        for (int i = 0; i < 10; i++) {
            assertThat(list(ROUTE, LIST)).isZero();
        }
    }

    @Test
    void listsRunForATenthOfTheTimeWhileHeartbeatsArrive() {
        heartbeatsArriveWithoutAPause();
        for (int i = 0; i < 10; i++) {
            list(ROUTE, LIST);
            heartbeat();
        }
        assertThat(waited).isEqualTo(9 * HeartbeatPriority.WAIT * LIST.toNanos());
        assertThat(waited).isGreaterThanOrEqualTo(8 * now / 10);
    }

    @Test
    void aPauseOfHeartbeatsEndsTheWait() {
        heartbeat();
        list(ROUTE, LIST);
        heartbeat();
        assertThat(list(ROUTE, LIST)).isEqualTo(HeartbeatPriority.PAUSE.toMillis());
    }

    @Test
    void aHeartbeatInProgressIsNoPause() {
        list(ROUTE, LIST);
        assertThat(priority.<Long>heartbeat(() -> list(ROUTE, LIST)))
                .isEqualTo(HeartbeatPriority.WAIT * LIST.toMillis());
    }

    @Test
    void aHeartbeatThatFailsIsNotInProgress() {
        list(ROUTE, LIST);
        try {
            priority.heartbeat(() -> {
                throw new IllegalStateException("failed");
            });
        } catch (IllegalStateException expected) {
            now += HeartbeatPriority.PAUSE.toNanos();
        }
        assertThat(list(ROUTE, LIST)).isZero();
    }

    @Test
    void aListWaitsForLongListsOfItsOwnRouteOnly() {
        heartbeatsArriveWithoutAPause();
        list(ROUTE, LIST);
        heartbeat();
        assertThat(list("GET /ping", Duration.ZERO)).isZero();
        assertThat(list(ROUTE, LIST)).isPositive();
    }

    @Test
    void aListComesToItsEndHoweverLongTheOneBeforeTook() {
        heartbeatsArriveWithoutAPause();
        list(ROUTE, Duration.ofSeconds(10));
        heartbeat();
        assertThat(list(ROUTE, LIST)).isEqualTo(HeartbeatPriority.MAX_WAIT.toMillis());
    }

    @Test
    void waitingListsLeaveThreadsForHeartbeats() {
        heartbeatsArriveWithoutAPause();
        list(ROUTE, Duration.ofSeconds(10));
        heartbeat();
        int[] waiting = {0, 0};
        meanwhile = () -> {
            heartbeat();
            waiting[1] = Math.max(waiting[1], ++waiting[0]);
            if (waiting[0] <= 2 * HeartbeatPriority.MAX_WAITING) {
                list(ROUTE, Duration.ZERO);
            }
            waiting[0]--;
        };
        list(ROUTE, Duration.ZERO);
        assertThat(waiting[1]).isEqualTo(HeartbeatPriority.MAX_WAITING);
    }
}
