package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.FakeRegistry.Sent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads, a thousand times faster than life. */
class ConcurrentAgentsTest {

    private static final int AGENTS = 12;
    private static final int TASKS = 300;
    private static final int SPEED = 1_000;

    private final FakeRegistry registry = new FakeRegistry();
    private final Random random = new Random(5);
    private boolean lossy = true;

    /** The scheduler of programs, in a time that runs faster. */
    private static final class FastScheduler implements Scheduler {

        private final Scheduler real = Scheduler.system();
        private final long start = real.nanoTime();

        @Override
        public long nanoTime() {
            return (real.nanoTime() - start) * SPEED;
        }

        @Override
        public void pause(Duration duration) throws InterruptedException {
            real.pause(duration.dividedBy(SPEED));
        }

        @Override
        public Waiting schedule(Duration delay, Runnable task) {
            return real.schedule(delay.dividedBy(SPEED), task);
        }

        @Override
        public void close() {
            real.close();
        }
    }

    /** Loses every tenth answer to a heartbeat while the agents work. */
    private synchronized Transport.Answer send(Transport.Request request) throws IOException {
        Transport.Answer answer = registry.send(request);
        if (request.uri().getPath().contains("heartbeat") && lossy && random.nextInt(10) == 0) {
            throw new IOException("connection reset");
        }
        return answer;
    }

    @Test
    @Timeout(60)
    @Tag("slow")
    void agents_of_many_threads_lose_no_outcome_and_end_drained() throws Exception {
        AgentHealthClient client = registry.client()
                .transport(this::send)
                .scheduler(new FastScheduler())
                .build();
        ExecutorService threads = Executors.newFixedThreadPool(AGENTS);
        List<Future<ManagedAgent>> working = new ArrayList<>();
        for (int i = 0; i < AGENTS; i++) {
            String agentId = "agent-" + i;
            working.add(threads.submit(() -> work(client, agentId)));
        }
        List<ManagedAgent> agents = new ArrayList<>();
        for (Future<ManagedAgent> one : working) {
            agents.add(one.get());
        }
        threads.shutdown();
        repair();

        client.close();

        assertThat(agents).allSatisfy(agent -> assertThat(agent.whenEnded().toCompletableFuture())
                .isCompletedWithValue(AgentEnd.DRAINED));
        assertThat(outcomes()).isEqualTo(AGENTS * TASKS);
    }

    private synchronized void repair() {
        lossy = false;
    }

    private static ManagedAgent work(AgentHealthClient client, String agentId) {
        ManagedAgent agent = client.agent(Registration.of(agentId))
                .closeTimeout(Duration.ofHours(10))
                .start();
        for (int i = 0; i < TASKS; i++) {
            agent.run(Thread::yield);
            if (i % 100 == 0) {
                agent.lease("intent", "scope")
                        .duration(Duration.ofHours(10))
                        .acquire()
                        .close();
            }
        }
        return agent;
    }

    /** The number of outcomes that the registry got, a repeated batch once. */
    private synchronized int outcomes() {
        Map<String, Integer> batches = new HashMap<>();
        for (Sent sent : registry.sent) {
            count(sent.body(), batches);
            sent.body().path("heartbeats").forEach(part -> count(part, batches));
        }
        return batches.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static void count(JsonNode body, Map<String, Integer> batches) {
        if (body.has("outcomes")) {
            batches.put(body.path("batch_id").asText(), body.path("outcomes").size());
        }
    }
}
