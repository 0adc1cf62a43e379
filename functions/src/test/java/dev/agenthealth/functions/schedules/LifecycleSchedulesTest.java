package dev.agenthealth.functions.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.TestDynamoDb;
import dev.agenthealth.testkit.TestTables;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The real handlers in many orders of their requests to the storage: answers, stored state, events and audit log of each schedule are what the model
 * comes to in some order of its atomic steps.
 */
@Tag(Attack.TAG)
@Tag("exhaustive")
@Tag("R16-02")
@Tag("R16-03")
class LifecycleSchedulesTest {

    private static final int SHORT = 12_000;
    private static final int LONG = 1_000_000;

    /** Fewer are too few, of 435 and of about 90. */
    private static final int PAIRS = 425;

    private static final int ANSWERS = 80;

    /** The maximum of orders of one pair of operations that are tried. */
    private static final int MAX_ORDERS = 300;

    @Test
    void every_schedule_ends_as_the_model_does_in_some_order() {
        Attack attack = Attack.begin("lifecycle-schedules");
        int size = Attack.size(SHORT, LONG);
        Random random = new Random(attack.seed());
        try (Schedules schedules = new Schedules()) {
            while (schedules.different.size() < size) {
                if (random.nextInt(20) == 0) {
                    pair(schedules, random);
                } else {
                    long seed = random.nextLong();
                    try {
                        schedules.random(seed);
                    } catch (AssertionError e) {
                        throw new AssertionError("schedule " + seed, e);
                    }
                }
            }
            attack.figure("schedules", schedules.runs)
                    .figure("different schedules", schedules.different.size())
                    .figure("of them every order of two operations", schedules.orders)
                    .figure("faults", schedules.faults)
                    .figure("pairs of kinds of operations", schedules.pairs.size())
                    .figure("transitions", schedules.transitions.size())
                    .figure("answers", schedules.answers.size())
                    .figure("followed by passes of the sweep", schedules.passes)
                    .end();
            assertThat(schedules.transitions).isEqualTo(LifecycleModelTest.TRANSITIONS);
            assertThat(schedules.pairs).as("pairs of kinds of operations").hasSizeGreaterThan(PAIRS);
            assertThat(schedules.answers).as("answers: %s", schedules.answers).hasSizeGreaterThan(ANSWERS);
            assertThat(schedules.orders).isGreaterThan(size / 20);
            assertThat(schedules.faults).isGreaterThan(size / 20);
            assertThat(schedules.passes).isGreaterThan(size / 20);
        }
    }

    @Test
    void the_items_in_memory_answer_as_the_embedded_database_does() {
        Random random = new Random(Attack.begin("lifecycle-memory").seed());
        AtomicLong requests = new AtomicLong();
        try (TestTables tables = TestTables.create();
                Schedules schedules = new Schedules(memory -> new TestDynamoDb(memory)
                        .compareAnswers(memory, tables.dynamoDb())
                        .before(request -> requests.incrementAndGet()))) {
            int size = Attack.size(150, 5_000);
            while (schedules.runs < size) {
                schedules.random(random.nextLong());
            }
            assertThat(requests.get()).isGreaterThan(size * 10L);
        }
    }

    private static void pair(Schedules schedules, Random random) {
        int start = random.nextInt(schedules.starts());
        List<Act> acts = schedules.acts(start, random, 2);
        schedules.everyOrder(start, acts, MAX_ORDERS);
    }
}
