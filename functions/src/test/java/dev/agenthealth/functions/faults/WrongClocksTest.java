package dev.agenthealth.functions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.Attack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clocks of instances are an hour off, in the short form a quarter of one, drift, or step back and forth. No agent dies that sends heartbeats, one that sends none dies at the latest when
 * clocks are right again and the largest error is over.
 */
@Tag(Attack.TAG)
@Tag("exhaustive")
class WrongClocksTest {

    private static final List<String> JUDGES =
            List.of("HeartbeatFunction", "SweepFunction", "ProbeFunction", "MeasurementFunction");

    /** Longer than an agent may be silent. */
    private static final Duration ERROR = Duration.ofMinutes(Attack.size(8, 60));

    private static final int MINUTES_OF_ERROR = Attack.size(8, 120);

    @ParameterizedTest
    @CsvSource({
        "one heartbeat instance is behind, HeartbeatFunction, 1, -1, 0",
        "one heartbeat instance is ahead, HeartbeatFunction, 1, 1, 0",
        "all heartbeat instances are behind, HeartbeatFunction, 2, -1, 0",
        "one sweep is ahead, SweepFunction, 1, 1, 0",
        "every sweep is ahead, SweepFunction, 2, 1, 0",
        "every sweep is behind, SweepFunction, 2, -1, 0",
        "a sweep drifts, SweepFunction, 2, 0, 30",
        "heartbeats drift, HeartbeatFunction, 1, 0, -30",
        "all step, *, 2, 0, 0",
    })
    void no_agent_dies_that_sends_heartbeats(String what, String function, int instances, long ahead, long drift) {
        Attack attack = Attack.begin("wrong-clocks");
        Random random = new Random(attack.seed());
        Hits hits = new Hits();
        try (FaultySystem system = new FaultySystem(attack.seed(), hits);
                Day day = new Day(attack.seed(), system, hits)) {
            day.begin(4);
            for (int i = 0; i < MINUTES_OF_ERROR; i++) {
                if (i == 5) {
                    day.silence("agent-0");
                }
                if (function.equals("*")) {
                    JUDGES.forEach(judge -> system.instances(judge)
                            .forEach(one -> one.setAhead(
                                    Duration.ofMillis(random.nextLong(-ERROR.toMillis(), ERROR.toMillis())))));
                } else {
                    Duration error = ERROR.multipliedBy(ahead).plusSeconds(drift * i);
                    system.instances(function).subList(0, instances).forEach(one -> one.setAhead(error));
                }
                day.quietMinute();
            }
            List<String> judges = new ArrayList<>(JUDGES);
            judges.forEach(judge -> system.instances(judge).forEach(one -> one.setAhead(Duration.ZERO)));
            // What is stored may be ahead.
            for (int i = 0; i < ERROR.toMinutes() + 15; i++) {
                day.quietMinute();
            }
            State state = new State(system);
            state.historiesAreWhole();
            state.eventsAreDelivered();
            assertThat(new TreeMap<>(state.deaths()))
                    .as(what)
                    .containsOnlyKeys("agent-0")
                    .containsEntry("agent-0", 1);
        }
    }
}
