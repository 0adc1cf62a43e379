package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.RegistryFunction;
import dev.agenthealth.functions.runtime.wiring.ProcessState;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers of one agent at the same time, each with a handler of its own, as on one machine. */
@Tag("SYS-02")
class RacingRegistrationsTest {

    private static final int WRITERS = 24;
    private static final int WRITES = 6;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final Wiring wiring =
            system.wiring(Map.of()).toBuilder().process(new ProcessState()).build();

    /** A request per round, for example of a process that was started many times. */
    @FunctionalInterface
    private interface Write {

        int status(TestApi api, String name);
    }

    @Test
    void registrations_of_one_agent_all_succeed_after_at_most_two_attempts_each() throws Exception {
        Map<Integer, Integer> statuses = race(RacingRegistrationsTest::register);
        assertThat(statuses).containsOnlyKeys(201);
        assertThat(transactions()).isLessThanOrEqualTo(2 * WRITERS * WRITES);
    }

    @Test
    void changes_of_one_profile_all_succeed_after_at_most_two_attempts_each() throws Exception {
        assertThat(register(new TestApi(List.of(new RegistryFunction(wiring))), "first"))
                .isEqualTo(201);
        Map<Integer, Integer> statuses = race((api, name) -> api.patch("/api/v1/agents/a")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body("{\"name\":\"" + name + "\"}")
                .send()
                .status());
        assertThat(statuses).containsOnlyKeys(200);
        assertThat(transactions()).isLessThanOrEqualTo(2 * WRITERS * WRITES + 1);
    }

    private static int register(TestApi api, String name) {
        return api.post("/api/v1/agents")
                .key(TestSystem.AGENT_KEY)
                .body("{\"agent_id\":\"a\",\"replace\":true,\"name\":\"" + name + "\"}")
                .send()
                .status();
    }

    private long transactions() {
        return system.meter().operations().stream()
                .filter("TransactWriteItems"::equals)
                .count();
    }

    /** Returns the number of answers of each status. */
    private Map<Integer, Integer> race(Write write) throws Exception {
        Map<Integer, Integer> statuses = new ConcurrentHashMap<>();
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                TestApi api = new TestApi(List.of(new RegistryFunction(wiring)));
                int writer = i;
                all.add(writers.submit(() -> {
                    start.await();
                    for (int j = 0; j < WRITES; j++) {
                        statuses.merge(write.status(api, writer + "-" + j), 1, Integer::sum);
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            writers.shutdownNow();
        }
        return statuses;
    }
}
