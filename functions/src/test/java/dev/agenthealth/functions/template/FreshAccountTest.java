package dev.agenthealth.functions.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.template.Resolution;
import dev.agenthealth.template.Stack;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the stack takes of the quotas of a new account, by the template's defaults. */
@Tag("SYS-03")
class FreshAccountTest {

    /** Concurrent executions of a new account. */
    private static final int EXECUTIONS = 10;

    /** Requests per second that Lambda accepts for each of these executions. */
    private static final int REQUESTS_PER_EXECUTION = 10;

    /** Shards of the stream of a new table on demand, each of which has its own batch at the publisher. */
    private static final int SHARDS = 4;

    /** A heartbeat of a function that runs already, with a margin: the 99th percentile and not the usual one. */
    private static final Duration HEARTBEAT = Duration.ofMillis(50);

    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final int HEARTBEATS_OF_A_BATCH = 100;

    private final TemplateText text = new TemplateText();
    private final Stack stack = text.stack();

    @Test
    void no_function_reserves_concurrency_which_a_new_account_refuses() {
        assertThat(text.functionGlobals()).doesNotContainKey("ReservedConcurrentExecutions");
        text.properties("AWS::Serverless::Function").forEach((logicalId, function) -> assertThat(function)
                .as(logicalId)
                .doesNotContainKeys("ReservedConcurrentExecutions", "ProvisionedConcurrencyConfig"));
    }

    @Test
    void background_work_leaves_executions_for_requests() {
        assertThat(freeExecutions()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void a_new_account_carries_a_thousand_agents_while_all_background_work_runs() {
        assertThat(agents(1))
                .as("one request for each heartbeat; named in the document")
                .isBetween(1_000, 1_500);
        assertThat(Documents.section("docs/operations/limits.md", "## A new account"))
                .contains("**" + String.format("%,d", agents(1)) + " agents**")
                .contains(freeExecutions() + " of " + EXECUTIONS + " executions");
        assertThat(agents(HEARTBEATS_OF_A_BATCH)).isGreaterThan(agents(1) * 10);
    }

    @Test
    void agents_that_are_all_slow_leave_executions_for_heartbeats_and_the_sweep() {
        int asynchronous = stack.functions().stream()
                .flatMap(function -> function.queues().stream())
                .mapToInt(queue -> queue.maximumConcurrency())
                .sum();
        int synchronous =
                Integer.parseInt(String.valueOf(TemplateText.at(text.parameters(), "AccountConcurrency", "Default")))
                        / 2;
        int waiting = synchronous + asynchronous;
        assertThat(EXECUTIONS - waiting).isGreaterThanOrEqualTo(3);
        assertThat(Documents.section("docs/operations/limits.md", "## A new account"))
                .contains("At most " + waiting + " executions wait for slow agents");
    }

    @ParameterizedTest
    @CsvSource({"10, small, 2", "10, large, 2", "500, small, 50", "1000, small, 50", "10000, large, 250"})
    void asynchronous_invocations_follow_the_concurrency_of_the_account(
            String concurrency, String fleet, int asynchronous) {
        assertThat(concurrency)
                .matches(String.valueOf(TemplateText.at(text.parameters(), "AccountConcurrency", "AllowedPattern")));
        assertThat(text
                        .stack(Resolution.local()
                                .withParameter("AccountConcurrency", concurrency)
                                .withParameter("FleetSize", fleet))
                        .functions()
                        .stream()
                        .flatMap(function -> function.queues().stream()))
                .singleElement()
                .satisfies(queue -> assertThat(queue.maximumConcurrency()).isEqualTo(asynchronous));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9", "11", "100", "499", "0500", "", "1e3"})
    void a_concurrency_that_asynchronous_invocations_would_use_up_is_refused(String concurrency) {
        assertThat(concurrency)
                .doesNotMatch(
                        String.valueOf(TemplateText.at(text.parameters(), "AccountConcurrency", "AllowedPattern")));
    }

    @Test
    void few_snapshots_are_made_at_once() {
        assertThat(stack.functions()).filteredOn(FunctionDefinition::snapStart).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void no_quota_of_ten_in_a_region_is_used_by_default() {
        text.resources("AWS::Logs::ResourcePolicy")
                .forEach((logicalId, resource) ->
                        assertThat(resource).as(logicalId).containsEntry("Condition", "HasEventTools"));
        assertThat(TemplateText.at(text.parameters(), "EventTools", "Default")).isEqualTo("false");
    }

    /** Agents with a heartbeat every 30 seconds that the executions left by background work carry. */
    private int agents(int heartbeatsOfARequest) {
        // A batch takes longer than one heartbeat, but not as long as all of them.
        Duration request = HEARTBEAT.multipliedBy(heartbeatsOfARequest == 1 ? 1 : 4);
        long perSecond = Math.min(
                freeExecutions() * Duration.ofSeconds(1).dividedBy(request), EXECUTIONS * REQUESTS_PER_EXECUTION);
        return Math.toIntExact(perSecond * heartbeatsOfARequest * INTERVAL.toSeconds());
    }

    /** How many batches of a shard the function processes at the same time; 1 where the template says nothing. */
    private int batchesOfAShard(FunctionDefinition function) {
        Object events = TemplateText.at(
                text.properties("AWS::Serverless::Function").get(function.logicalId()),
                "Events",
                "Outbox",
                "Properties");
        return Integer.parseInt(String.valueOf(TemplateText.map(events).getOrDefault("ParallelizationFactor", 1)));
    }

    /** Executions that are left for requests when every schedule runs and every queue and shard is full. */
    private int freeExecutions() {
        int taken = 0;
        for (FunctionDefinition function : stack.functions()) {
            taken += (int) function.schedules().stream()
                    .filter(schedule -> schedule.period().toMinutes() == 1)
                    .count();
            taken += function.streams().size() * SHARDS * batchesOfAShard(function);
            taken += function.queues().stream()
                    .mapToInt(queue -> queue.maximumConcurrency())
                    .sum();
        }
        return EXECUTIONS - taken;
    }
}
