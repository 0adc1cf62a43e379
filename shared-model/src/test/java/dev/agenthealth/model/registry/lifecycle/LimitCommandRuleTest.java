package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.PublishedUsage;
import dev.agenthealth.model.registry.usage.SharedUsage;
import dev.agenthealth.model.registry.usage.SharedUsages;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimit;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands of limits. */
class LimitCommandRuleTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:30:00Z");
    private static final Instant END = Instant.parse("2026-02-08T11:00:00Z");
    private static final UsageLimit LIMIT = UsageLimit.TOKENS_PER_HOUR;
    private static final LimitHolder OWNER = LimitHolder.owner(Owner.NONE.keyId());
    private static final PendingDrain COMMAND = PendingDrain.ofLimit(LIMIT, Duration.ofSeconds(60), false);

    private static Pulse pulse() {
        return RegistrationRule.first("agent", HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Owner.NONE, NOW);
    }

    private static SharedUsages shared(UsageLevel level, boolean asking, LimitHolder holder) {
        return shared(level, asking, holder, OnExceeded.DRAIN);
    }

    private static SharedUsages shared(UsageLevel level, boolean asking, LimitHolder holder, OnExceeded action) {
        UsageState state = new UsageState(level, LIMIT, 1_100, 1_000, END);
        return new SharedUsages(List.of(new SharedUsage(holder, state, NOW, "", asking, false, action)));
    }

    private static Pulse usedUp(UsageLevel level) {
        return usedUp(level, OnExceeded.DRAIN);
    }

    private static Pulse usedUp(UsageLevel level, OnExceeded action) {
        return pulse().withUsage(new PublishedUsage(level, LIMIT, END, action));
    }

    @Test
    void the_command_ends_when_neither_limit_is_used_up() {
        Pulse asked = pulse().withPendingDrain(COMMAND);
        assertThat(LimitCommandRule.isOver(asked, SharedUsages.NONE, NOW)).isTrue();
        assertThat(LimitCommandRule.isOver(asked, shared(UsageLevel.WARNING, false, OWNER), NOW))
                .isTrue();
        assertThat(LimitCommandRule.isOver(asked, shared(UsageLevel.EXCEEDED, false, OWNER), NOW))
                .isFalse();
        assertThat(LimitCommandRule.isOver(asked, shared(UsageLevel.EXCEEDED, false, OWNER), END))
                .isTrue();
        assertThat(LimitCommandRule.isOver(asked, shared(UsageLevel.EXCEEDED, true, LimitHolder.role("other")), NOW))
                .isTrue();
        Pulse own = usedUp(UsageLevel.EXCEEDED).withPendingDrain(COMMAND);
        assertThat(LimitCommandRule.isOver(own, SharedUsages.NONE, NOW)).isFalse();
        assertThat(LimitCommandRule.isOver(own, SharedUsages.NONE, END)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(OnExceeded.class)
    void the_command_ends_when_the_action_of_the_limit_is_no_command(OnExceeded action) {
        boolean isCommand = action == OnExceeded.DRAIN || action == OnExceeded.RESTART;
        Pulse own = usedUp(UsageLevel.EXCEEDED, action).withPendingDrain(COMMAND);
        assertThat(LimitCommandRule.isOver(own, SharedUsages.NONE, NOW)).isEqualTo(!isCommand);
        SharedUsages shared = shared(UsageLevel.EXCEEDED, false, OWNER, action);
        assertThat(LimitCommandRule.isOver(pulse().withPendingDrain(COMMAND), shared, NOW))
                .isEqualTo(!isCommand);
    }

    @Test
    void no_other_command_ends_with_a_limit() {
        Duration timeout = Duration.ofSeconds(60);
        for (PendingDrain other : List.of(
                PendingDrain.NONE,
                PendingDrain.ofStop("tokens_per_hour", timeout),
                PendingDrain.ofRule("tokens_per_hour", timeout, false),
                new PendingDrain("tokens_per_hour", timeout, "key_of_a_person"),
                new PendingDrain("stalled", timeout, PendingDrain.REGISTRY, true))) {
            assertThat(LimitCommandRule.isOver(pulse().withPendingDrain(other), SharedUsages.NONE, NOW))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(OnExceeded.class)
    void only_a_limit_that_drains_asks_at_a_registration(OnExceeded action) {
        UsageLimits limits = new UsageLimits(Map.of(LIMIT, 1_000L), false, action);
        assertThat(LimitCommandRule.atRegistration(usedUp(UsageLevel.EXCEEDED), limits, NOW)
                        .isPresent())
                .isEqualTo(action == OnExceeded.DRAIN);
        assertThat(LimitCommandRule.atRegistration(usedUp(UsageLevel.EXCEEDED), limits, END))
                .isEmpty();
        assertThat(LimitCommandRule.atRegistration(usedUp(UsageLevel.WARNING), limits, NOW))
                .isEmpty();
    }

    @Test
    void a_shared_limit_asks_at_a_registration_until_its_end() {
        String key = Owner.NONE.keyId();
        assertThat(shared(UsageLevel.EXCEEDED, true, OWNER).asking(0, key, NOW)).contains(LIMIT);
        assertThat(shared(UsageLevel.EXCEEDED, true, OWNER).asking(0, key, END)).isEmpty();
        assertThat(shared(UsageLevel.EXCEEDED, false, OWNER).asking(0, key, NOW))
                .isEmpty();
        assertThat(shared(UsageLevel.EXCEEDED, true, OWNER).asking(0, "another", NOW))
                .isEmpty();
    }

    @Test
    void an_unhealthy_agent_may_be_asked_and_an_agent_with_a_command_may_not() {
        Pulse unhealthy = pulse().withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, NOW);
        assertThat(unhealthy.mayBeAskedToDrain()).isTrue();
        assertThat(unhealthy.withPendingDrain(COMMAND).mayBeAskedToDrain()).isFalse();
        assertThat(unhealthy.withStatus(LifecycleStatus.DEAD, Drain.NONE, NOW).mayBeAskedToDrain())
                .isFalse();
        assertThat(Coordination.NONE
                        .withPendingDrain(PendingDrain.ofStop("s", Duration.ofSeconds(60)))
                        .limitedBy(Optional.of(LIMIT))
                        .pendingDrain()
                        .isOfStop())
                .isTrue();
    }
}
