package dev.agenthealth.functions.registry.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.testing.InterleavedSystem;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.testkit.Interleavings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/**
 * Heartbeats concurrent with other changes of an agent, in every interleaving of their storage requests. Each interleaving has
 * events without gaps, connected changes of status, no heartbeat acknowledged but not counted, and no heartbeat refused wrongly.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HeartbeatInterleavings {

    static final int NOTHING_TO_DO = 0;
    static final int DONE = 200;

    @AutoClose
    private final InterleavedSystem interleaved = new InterleavedSystem(HeartbeatInterleavings::isStep);

    final TestSystem system = interleaved.system();
    final Interleavings interleavings = interleaved.interleavings();
    final TestApi api = interleaved.api();
    final Database database = interleaved.database();
    private int agents;

    /** Reads of keys are no steps: keys are cached and do not change here. */
    private static boolean isStep(DynamoDbRequest request) {
        return !(request instanceof GetItemRequest get
                && get.key().containsKey("pk")
                && get.key().get("pk").s().startsWith("K#"));
    }

    int sweep(TestAgent agent) {
        return agent.sweep(database) ? DONE : NOTHING_TO_DO;
    }

    /**
     * An operation that runs concurrently with others.
     *
     * @param isHeartbeat whether a response of 200 means that one more heartbeat was counted
     */
    record Operation(boolean isHeartbeat, ToIntFunction<TestAgent> run) {}

    static Operation heartbeat(ToIntFunction<TestAgent> run) {
        return new Operation(true, run);
    }

    static Operation other(ToIntFunction<TestAgent> run) {
        return new Operation(false, run);
    }

    /** The result of one interleaving. */
    record Race(TestAgent agent, List<Integer> codes, String about) {

        int code(int operation) {
            return codes.get(operation);
        }
    }

    int explore(Consumer<TestAgent> given, Consumer<Race> expected, Operation... operations) {
        return interleavings.explore(() -> {
            TestAgent agent = newAgent();
            given.accept(agent);
            Pulse before = agent.pulse();
            Integer[] codes = new Integer[operations.length];
            return new Interleavings.Scenario() {
                @Override
                public List<Runnable> operations() {
                    return IntStream.range(0, operations.length)
                            .<Runnable>mapToObj(
                                    i -> () -> codes[i] = operations[i].run().applyAsInt(agent))
                            .toList();
                }

                @Override
                public void check(List<Integer> order) {
                    String about = "order " + order + ", answers " + List.of(codes) + ", changes " + agent.changes();
                    agent.assertHistoryIsWhole(about);
                    assertCounted(agent.pulse(), before, codes, about, operations);
                    expected.accept(new Race(agent, List.of(codes), about));
                }
            };
        });
    }

    /** A new registered agent. */
    TestAgent newAgent() {
        return TestAgent.registered(system, "agent_" + agents++);
    }

    /** Every acknowledged heartbeat was counted, and no other. */
    private static void assertCounted(
            Pulse after, Pulse before, Integer[] codes, String about, Operation... operations) {
        long acknowledged = IntStream.range(0, codes.length)
                .filter(i -> operations[i].isHeartbeat() && codes[i] == 200)
                .count();
        long counted = after.incarnation() == before.incarnation()
                ? after.heartbeatCount() - before.heartbeatCount()
                : after.heartbeatCount();
        assertThat(counted).as("counted heartbeats, %s", about).isEqualTo(acknowledged);
    }
}
