package dev.agenthealth.functions.registry.leases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.lease.Lease;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.testkit.CountedSteps;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The steps of the limit of leases. They do not grow with the leases that were granted or ended since the last count. */
@Tag("slow")
class LeaseQuotaStepsTest {

    /** Leases that were granted and ended since the last count. */
    public static final class Changed implements IntFunction<Map<String, Runnable>>, AutoCloseable {

        private final TestSystem system = new TestSystem();

        @Override
        public Map<String, Runnable> apply(int leases) {
            TestAgent.registered(system, "one");
            Pulse holder = new TestAgent(system, "one").pulse();
            LeaseQuota quota = new LeaseQuota(system.database(), system.clock());
            // As many grants as ends keep the numbers below the limits.
            for (int i = 0; i < leases; i += 2) {
                quota.granted(lease(holder, "granted" + i));
                quota.ended(List.of(lease(holder, "ended" + i)));
            }
            Map<String, Runnable> operations = new LinkedHashMap<>();
            operations.put("grant a lease", () -> quota.granted(lease(holder, "more")));
            operations.put("end a lease", () -> quota.ended(List.of(lease(holder, "more"))));
            operations.put("check the limit", () -> quota.check(holder));
            return operations;
        }

        @Override
        public void close() {
            system.close();
        }

        private Lease lease(Pulse holder, String scope) {
            Instant now = system.clock().instant();
            return new Lease(
                    "lease_" + scope,
                    "intent",
                    scope,
                    new Lease.Holder("one", "", holder.incarnation(), holder.owner()),
                    1,
                    new Lease.Term(now, now.plusSeconds(600)),
                    Lease.State.ACTIVE);
        }
    }

    @Test
    void the_limit_takes_as_many_steps_whatever_was_granted_or_ended() {
        assertThat(CountedSteps.of(Changed.class, 100_000)).isEqualTo(CountedSteps.of(Changed.class, 1_000));
    }
}
