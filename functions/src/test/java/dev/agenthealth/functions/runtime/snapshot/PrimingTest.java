package dev.agenthealth.functions.runtime.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.HeartbeatFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.template.FunctionDefinition;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.Permission;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestSnapshots;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/** Priming of functions before a snapshot, and the state of instances restored from it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-01")
class PrimingTest {

    /** A heartbeat of an agent that does not exist writes under a condition that fails. */
    private static final Set<String> USES = Set.of(
            "dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:UpdateItem");

    private final CapturedOutput output = new CapturedOutput();
    private final DeployedSystem deployed = new DeployedSystem();

    @AfterAll
    void close() {
        deployed.close();
        output.close();
    }

    List<String> functions() {
        return deployed.functions().stream()
                .filter(FunctionDefinition::snapStart)
                .map(FunctionDefinition::logicalId)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("functions")
    void every_priming_succeeds_and_changes_nothing(String logicalId) {
        TableContents before = TableContents.of(deployed.tables());
        RequestHandler<?, ?> function = deployed.start(logicalId);
        collectGarbage();
        int lineCount = output.lines().size();
        int hooks = deployed.snapshots(logicalId).take();
        assertThat(hooks).as("hooks that outlive a collection").isPositive();
        List<String> lines = output.lines().subList(lineCount, output.lines().size());
        assertThat(lines)
                .hasSize(hooks)
                .allMatch(line -> line.contains("\"event\":\"primed\"") && line.contains("\"failed\":0"));
        assertThat(deployed.uses(logicalId)).extracting(Permission::action).allMatch(USES::contains);
        assertThat(deployed.uses(logicalId)).as("a real request").isNotEmpty();
        assertThat(TableContents.of(deployed.tables())).isEqualTo(before);
        assertThat(deployed.eventBridge().requests()).isEmpty();
        assertThat(deployed.sqs().messages()).isEmpty();
        assertThat(deployed.lambda().invoked()).isEmpty();
        Reference.reachabilityFence(function);
    }

    @Test
    void a_function_without_a_snapshot_registers_no_priming() {
        for (FunctionDefinition function : deployed.functions()) {
            if (!function.snapStart()) {
                deployed.start(function.logicalId());
                assertThat(deployed.snapshots(function.logicalId()).take())
                        .as(function.logicalId())
                        .isZero();
            }
        }
    }

    @Test
    void a_failed_priming_is_logged_and_does_not_fail_the_deployment() {
        try (TestSystem system = new TestSystem();
                CapturedOutput log = new CapturedOutput()) {
            TestSnapshots snapshots = new TestSnapshots();
            HeartbeatFunction function = new HeartbeatFunction(observed(system, snapshots));
            for (int i = 0; i < 200; i++) {
                system.faults().throttleOn(GetItemRequest.class);
            }
            assertThatNoException().isThrownBy(snapshots::take);
            assertThat(log.text()).contains("part_not_primed", "\"failed\":1");
            system.faults().clear();
            TestAgent agent = TestAgent.registered(system, "agent_1");
            assertThat(sendHeartbeat(function, agent)).isEqualTo(200);
        }
    }

    @Test
    @Tag("slow")
    void a_primed_instance_keeps_no_state_from_before_its_snapshot() {
        try (CapturedOutput log = new CapturedOutput();
                TestSystem system = new TestSystem()) {
            TestSnapshots snapshots = new TestSnapshots();
            HeartbeatFunction function = new HeartbeatFunction(observed(system, snapshots));
            snapshots.take();
            assertThat(log.text()).doesNotContain("\"event\":\"request\"", "CloudWatchMetrics");
            system.clock().advanceSeconds(86_400);
            TestAgent agent = TestAgent.registered(system, "agent_1");
            snapshots.restore();
            assertThat(sendHeartbeat(function, agent)).isEqualTo(200);
            assertThat(log.lines())
                    .as("the first request of the instance")
                    .anyMatch(line -> line.contains("\"cold_start\":true") && line.contains("\"status\":200"));
            assertThat(log.lines()).as("and its first heartbeat").anyMatch(line -> line.contains("\"Heartbeats\":1"));
        }
    }

    @Test
    void no_key_is_cached_in_a_snapshot() {
        try (TestSystem system = new TestSystem()) {
            TestSnapshots snapshots = new TestSnapshots();
            HeartbeatFunction function = new HeartbeatFunction(observed(system, snapshots));
            snapshots.take();
            system.meter().reset();
            assertThat(unreadable(function, TestSystem.AGENT_KEY)).isEqualTo(400);
            assertThat(system.meter().operations())
                    .as("no key is cached before")
                    .containsExactly("GetItem");
            system.clock().advanceSeconds(86_400);
            new KeyStore(system.database()).revoke("key-" + TestSystem.AGENT_KEY);
            snapshots.restore();
            assertThat(unreadable(function, TestSystem.AGENT_KEY)).isEqualTo(401);
        }
    }

    private static int sendHeartbeat(HeartbeatFunction function, TestAgent agent) {
        return new TestApi(List.of(function))
                .post(agent.heartbeatPath())
                .key(TestSystem.AGENT_KEY)
                .body("{\"status\":\"active\",\"client_timestamp\":\"2026-02-08T10:00:00Z\"}")
                .send()
                .status();
    }

    private static int unreadable(HeartbeatFunction function, String key) {
        return new TestApi(List.of(function))
                .post("/api/v1/agents/agent_1/heartbeat")
                .key(key)
                .body("{")
                .send()
                .status();
    }

    private static Wiring observed(TestSystem system, TestSnapshots snapshots) {
        Wiring usual = system.wiring(Map.of());
        return usual.toBuilder().snapshots(snapshots).build();
    }

    /** Collects weakly referenced objects. */
    private static void collectGarbage() {
        WeakReference<Object> unheld = new WeakReference<>(new Object());
        while (unheld.get() != null) {
            System.gc();
        }
    }
}
