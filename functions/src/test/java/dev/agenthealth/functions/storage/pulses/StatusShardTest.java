package dev.agenthealth.functions.storage.pulses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The partitions of the by-status index, which stored rows are in. */
class StatusShardTest {

    @ParameterizedTest
    @CsvSource({"ACTIVE, A", "DRAINING, G", "UNHEALTHY, U", "DEAD, X", "DEREGISTERED, Z"})
    void each_status_has_a_code_and_eight_shards(LifecycleStatus status, String code) {
        assertThat(StatusShard.code(status)).isEqualTo(code);
        assertThat(StatusShard.status(code)).isEqualTo(status);
        assertThat(StatusShard.all(status))
                .containsExactly(code + 0, code + 1, code + 2, code + 3, code + 4, code + 5, code + 6, code + 7);
        Set<String> used = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            used.add(StatusShard.of(status, "agent-" + i));
        }
        assertThat(used).containsExactlyInAnyOrderElementsOf(StatusShard.all(status));
    }

    @Test
    void an_agent_stays_in_its_shard_whatever_the_sign_of_its_hash() {
        assertThat(StatusShard.of(LifecycleStatus.ACTIVE, "a")).isEqualTo("A1");
        assertThat("polygenelubricants".hashCode()).isEqualTo(Integer.MIN_VALUE);
        assertThat(StatusShard.of(LifecycleStatus.ACTIVE, "polygenelubricants")).isEqualTo("A0");
        assertThat("agent-negative".hashCode()).isNegative();
        assertThat(StatusShard.of(LifecycleStatus.DEAD, "agent-negative")).matches("X[0-7]");
    }

    @Test
    void what_is_never_stored_has_no_code() {
        assertThatIllegalArgumentException().isThrownBy(() -> StatusShard.code(LifecycleStatus.REGISTERING));
        assertThatIllegalStateException().isThrownBy(() -> StatusShard.status("B"));
    }
}
