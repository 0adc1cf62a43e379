package dev.agenthealth.model.registry.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolSizeTest {

    @ParameterizedTest
    @CsvSource({"0, 0, false", "0, 1, true", "1, 1, false", "1, 2, true", "2, 2, false"})
    void a_pool_is_below_its_minimum_and_not_at_it(long active, int minimum, boolean below) {
        assertThat(new PoolSize(minimum, PoolSize.NO_MAXIMUM).isBelow(active)).isEqualTo(below);
    }

    @Test
    void a_maximum_may_be_declared() {
        assertThat(PoolSize.ANY.hasMaximum()).isFalse();
        assertThat(new PoolSize(0, 1).hasMaximum()).isTrue();
        assertThat(new PoolCapacity(2, 5, 7).available()).isEqualTo(-2);
    }

    @Test
    void a_workflow_declares_its_roles_in_their_order() {
        RoleDefaults billing = role("billing");
        RoleDefaults support = role("support");
        Map<String, RoleDefaults> agents = new LinkedHashMap<>();
        agents.put("b", billing);
        agents.put("a", support);
        Workflow workflow = new Workflow("w", 1, Instant.EPOCH, agents);
        assertThat(workflow.roleIds()).containsExactly("billing", "support");
        assertThat(workflow.declares(agents)).isTrue();
        assertThat(workflow.declares(new TreeMap<>(agents)))
                .as("in another order")
                .isFalse();
        agents.remove("a");
        assertThat(workflow.declares(agents)).isFalse();
    }

    private static RoleDefaults role(String roleId) {
        RoleDefaults none = RoleDefaults.NONE;
        return new RoleDefaults(
                roleId,
                none.capabilities(),
                none.maxConcurrentTasks(),
                none.heartbeat(),
                none.drainTimeout(),
                none.pool(),
                none.contact(),
                none.limits());
    }
}
