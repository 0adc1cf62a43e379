package dev.agenthealth.functions.storage.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.TestTables;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which of several erasures of one agent goes on. */
@Tag("SYS-06")
class ErasureStoreTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final ErasureStore erasures = new ErasureStore(system.database());

    private StoredAgent gone(String id) {
        TestAgent agent = TestAgent.registered(system, id);
        agent.deregister();
        agent.finishCleanUp();
        return agent.stored();
    }

    @Test
    void an_erasure_is_claimed_by_one_until_it_is_released_or_its_time_is_over() {
        StoredAgent gone = gone("a");
        assertThat(erasures.find("a")).isEmpty();
        assertThat(erasures.begin(gone)).isTrue();
        assertThat(erasures.begin(gone)).isFalse();
        Erasure begun = erasures.find("a").orElseThrow();
        Instant until = system.clock().instant().plusSeconds(60);

        assertThat(erasures.claim(begun, until)).isTrue();
        assertThat(erasures.claim(begun, until.plusSeconds(1))).isFalse();
        assertThat(erasures.put(begun, until.plusSeconds(1)))
                .as("of another claim")
                .isFalse();
        assertThat(erasures.put(begun, until)).isTrue();
        assertThat(erasures.put(begun, until)).as("released already").isFalse();

        assertThat(erasures.claim(begun, until)).isTrue();
        system.clock().advanceSeconds(59);
        assertThat(erasures.claim(begun, until.plusSeconds(60))).isFalse();
        system.clock().advanceSeconds(1);
        assertThat(erasures.claim(begun, until.plusSeconds(60))).isTrue();
    }

    @Test
    void what_is_left_below_an_id_is_erased_unless_it_registers() {
        system.dynamoDb()
                .putItem(request -> request.tableName(TestTables.REGISTRY).item(ItemKind.PROBES.key("forgotten")));
        assertThat(erasures.isLeftOver("forgotten")).isTrue();
        assertThat(erasures.isLeftOver("unknown")).isFalse();

        assertThat(erasures.beginForgotten("forgotten")).isTrue();
        assertThat(erasures.beginForgotten("forgotten")).isFalse();
        TestAgent.registered(system, "live");
        assertThat(erasures.beginForgotten("live")).isFalse();
        assertThat(erasures.find("live")).isEmpty();
    }
}
