package dev.agenthealth.functions.storage.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.workflow.RoleContact;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R16-32")
class RoleItemTest {

    @ParameterizedTest
    @ValueSource(ints = {Workload.NOT_DECLARED, 0, 1, 1_000_000})
    void a_role_is_read_as_it_was_written(int maximum) {
        RoleDefaults role = new RoleDefaults(
                "worker",
                List.of("code review"),
                maximum,
                RoleDefaults.NONE.heartbeat(),
                RoleDefaults.NONE.drainTimeout(),
                RoleDefaults.NONE.pool(),
                new RoleContact("#billing-oncall", "https://runbooks.example/billing"),
                new UsageLimits(
                        Map.of(UsageLimit.TOKENS_PER_HOUR, 10_000L, UsageLimit.EXECUTIONS_PER_HOUR, 5L),
                        true,
                        OnExceeded.BLOCK));
        assertThat(RoleItem.read(RoleItem.of(role))).isEqualTo(role);
    }
}
