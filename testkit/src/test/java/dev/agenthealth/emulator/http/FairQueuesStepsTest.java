package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.CountedSteps;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The steps of a request that waits for its turn. They do not grow with the requests and keys that wait. */
@Tag("slow")
class FairQueuesStepsTest {

    private static final int MAX_WAITING = 1_000_000;

    /** As many requests that wait, half of them of keys of their own. */
    public static final class Waiting implements IntFunction<Map<String, Runnable>> {

        private final Share share = new Share("steps", 1, MAX_WAITING);
        private final Deque<Runnable> started = new ArrayDeque<>();
        private final FairQueues queues = new FairQueues(started::add);
        private int number;

        @Override
        public Map<String, Runnable> apply(int things) {
            // The second request begins when the first one has ended. It runs until an operation takes it from
            // `started`.
            queues.run(share, "first", () -> queues.run(share, "second", () -> {}));
            for (int i = 0; i < things; i += 2) {
                add("common");
                add("own" + i);
            }
            Map<String, Runnable> operations = new LinkedHashMap<>();
            operations.put("wait as a known key", () -> add("common"));
            operations.put("wait as a new key", () -> add("new" + number));
            operations.put("end and begin the next", () -> started.remove().run());
            return operations;
        }

        private void add(String key) {
            number++;
            assertThat(queues.run(share, key, () -> {})).isTrue();
        }
    }

    @Test
    void a_request_takes_as_many_steps_whatever_waits() {
        assertThat(CountedSteps.of(Waiting.class, 100_000)).isEqualTo(CountedSteps.of(Waiting.class, 1_000));
    }
}
