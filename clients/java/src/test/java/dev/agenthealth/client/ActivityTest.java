package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.client.FakeRegistry.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What heartbeats say of running tasks: the one that is longest without progress. */
// A block without a use of its resource is how the client is used.
@SuppressWarnings("try")
class ActivityTest {

    private final FakeRegistry registry = new FakeRegistry();
    private final AgentHealthClient client = registry.client().build();
    private ManagedAgent agent;

    @BeforeEach
    void start() {
        agent = client.agent(Registration.of("a")).start();
        pass(1);
    }

    private void pass(int seconds) {
        registry.scheduler.advance(Duration.ofSeconds(seconds));
    }

    /** The activity of the next heartbeat, with the age as of that heartbeat's time cut off to that of now. */
    private String activity() {
        Duration now = Duration.ofNanos(registry.scheduler.nanoTime());
        int before = registry.heartbeats().size();
        pass(30);
        Sent sent = registry.heartbeats().get(before);
        JsonNode activity = sent.body().path("activity");
        if (activity.isMissingNode()) {
            return "none";
        }
        double later = sent.at().minus(now).toNanos() / 1e9;
        return activity.path("phase").asText() + " "
                + Math.round(activity.path("no_progress_seconds").asDouble() - later);
    }

    @Test
    void heartbeats_carry_the_activity_while_a_task_runs() {
        assertThat(activity()).isEqualTo("none");
        try (RunningTask task = agent.begin()) {
            pass(40);
            assertThat(activity()).isEqualTo("other 40");
            try (Working call = task.tool()) {
                assertThat(activity()).isEqualTo("tool 0");
            }
            assertThat(activity()).isEqualTo("other 0");
        }
        assertThat(activity()).isEqualTo("none");
    }

    private String repetition() {
        pass(30);
        JsonNode activity = registry.heartbeats()
                .get(registry.heartbeats().size() - 1)
                .body()
                .path("activity");
        return activity.path("repeats").asInt() + " " + activity.path("tool").asText();
    }

    @Test
    void repeated_calls_of_a_tool_are_counted_and_are_no_progress() {
        try (RunningTask task = agent.begin()) {
            for (int i = 0; i < 25; i++) {
                try (Working call = agent.tool("search", "query", new int[] {1, 2})) {
                    pass(1);
                }
            }
            assertThat(activity()).isEqualTo("other 24");
            assertThat(repetition()).isEqualTo("24 search");
            task.tool("search", "query", new int[] {1, 3}).close();
            assertThat(activity()).isEqualTo("other 0");
            assertThat(repetition()).isEqualTo("0 ");
            for (int i = 0; i < 22; i++) {
                agent.model().close();
                task.tool("search", i % 2).close();
            }
            assertThat(repetition()).isEqualTo("10 search");
            task.tool().close();
            assertThat(repetition()).isEqualTo("0 ");
        }
    }

    @Test
    void progress_counts_for_the_innermost_call_of_the_thread() {
        try (RunningTask task = agent.begin();
                Working model = agent.model()) {
            pass(100);
            agent.progress();
            assertThat(activity()).isEqualTo("model 0");
            model.progress();
            assertThat(activity()).isEqualTo("model 0");
        }
        agent.progress();
    }

    @Test
    void each_element_is_progress() {
        List<String> seen = new ArrayList<>();
        try (Working model = agent.model()) {
            for (int element : model.each(List.of(1, 2))) {
                seen.add(element + " " + activity());
                pass(40);
            }
            model.each(Stream.of(3)).forEach(element -> seen.add(element + " " + activity()));
        }
        assertThat(seen).containsExactly("1 model 0", "2 model 0", "3 model 0");
    }

    @Test
    void of_two_tasks_the_one_that_hangs_is_reported() {
        RunningTask hanging = agent.begin("one");
        Working tool = hanging.tool();
        RunningTask working = agent.begin("two");
        for (int i = 0; i < 10; i++) {
            pass(60);
            working.progress();
        }
        assertThat(activity()).isEqualTo("tool 600");
        tool.close();
        hanging.close();
        working.progress();
        assertThat(activity()).isEqualTo("other 0");
    }

    @Test
    void a_wait_for_a_person_hides_no_stuck_task() {
        RunningTask asking = agent.begin();
        Working person = asking.human();
        pass(9_000);
        assertThat(activity()).isEqualTo("human 9000");
        RunningTask stuck = agent.begin();
        pass(300);
        assertThat(activity()).isEqualTo("other 300");
        stuck.close();
        person.close();
        person.close();
        asking.close();
        assertThat(activity()).isEqualTo("none");
    }

    @Test
    void a_wait_for_a_person_says_what_for() {
        RunningTask asking = agent.begin();
        assertThat(reported(agent.human("approval of invoice 42"))).isEqualTo("approval of invoice 42");
        assertThat(reported(asking.human("x".repeat(201)))).isEqualTo("x".repeat(200));
        assertThat(reported(agent.human())).isEmpty();
        asking.close();
    }

    private String reported(Working waiting) {
        try (waiting) {
            int before = registry.heartbeats().size();
            pass(30);
            return registry.heartbeats().get(before).body().at("/activity/for").asText();
        }
    }

    @Test
    void a_task_that_another_thread_ended_is_no_longer_the_innermost() throws InterruptedException {
        RunningTask task = agent.begin();
        Thread other = new Thread(task::close);
        other.start();
        other.join();
        try (Working alone = agent.tool()) {
            assertThat(activity()).isEqualTo("tool 0");
        }
        assertThat(activity()).isEqualTo("none");
    }

    @Test
    void work_that_is_called_is_a_task() {
        List<String> seen = new ArrayList<>();
        agent.run(() -> {
            try (Working tool = agent.tool()) {
                seen.add(activity());
            }
        });
        assertThat(seen).containsExactly("tool 0");
        assertThat(activity()).isEqualTo("none");
    }

    @Test
    void a_registration_declares_when_its_agent_is_stalled() {
        Registration declared = Registration.of("a")
                .stallAfter(Duration.ofMinutes(10))
                .heartbeat(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(90))
                .releaseLeasesWhenStalled();
        assertThat(declared)
                .hasToString(
                        """
                                {"agent_id":"a","heartbeat_config":{"stall_after_seconds":600,"interval_seconds":10,\
                                "unhealthy_after_seconds":30,"dead_after_seconds":90,\
                                "release_leases_when_stalled":true}}\
                                """);
        assertThat(declared.stallAfter(Map.of("tool", Duration.ofSeconds(900)))
                        .json()
                        .at("/heartbeat_config/stall_after_seconds"))
                .hasToString("{\"tool\":900}");
    }

    @Test
    void heartbeats_have_the_used_context_from_the_first_call_on() {
        assertThat(lastHeartbeat().has("context_used")).isFalse();
        agent.contextUsed(0.62);
        for (double wrong : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> agent.contextUsed(wrong)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Heartbeat.active().contextUsed(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(lastHeartbeat().path("context_used").asDouble()).isEqualTo(0.62);
    }

    private JsonNode lastHeartbeat() {
        int before = registry.heartbeats().size();
        pass(30);
        return registry.heartbeats().get(before).body();
    }
}
