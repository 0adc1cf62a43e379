package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.functions.storage.agents.FindingStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.health.MeasurementInputs;
import dev.agenthealth.functions.storage.outcomes.ReadSlices;
import dev.agenthealth.functions.storage.outcomes.SliceStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.usage.UsageStore;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.UsageChange;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.usage.HourUsage;
import dev.agenthealth.model.registry.usage.LimitReason;
import dev.agenthealth.model.registry.usage.UsageLevel;
import dev.agenthealth.model.registry.usage.UsageLimits;
import dev.agenthealth.model.registry.usage.UsageRule;
import dev.agenthealth.model.registry.usage.UsageSource;
import dev.agenthealth.model.registry.usage.UsageState;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Adds the usage of an agent to the totals, and judges it by the agent's limits. Thread-safe. */
final class UsageJudgement {

    private final UsageStore usage;
    private final FindingStore findings;
    private final PulseStore pulses;
    private final BlockStore blocks;
    private final DueStore dueAgents;
    private final SliceStore slices;
    private final ExecutionLimits executions;
    private final VersionJudgement versions;
    private final Clock clock;

    UsageJudgement(Database database, VersionJudgement versions, Clock clock) {
        this.versions = versions;
        this.usage = new UsageStore(database);
        this.findings = new FindingStore(database);
        this.pulses = new PulseStore(database);
        this.blocks = new BlockStore(database);
        this.dueAgents = new DueStore(database);
        this.slices = new SliceStore(database);
        this.executions = new ExecutionLimits(database);
        this.clock = clock;
    }

    /** Begins a pass, which reads the shared limits anew. */
    void beginPass() {
        executions.beginPass();
    }

    /**
     * Adds hours that changed to the totals, and publishes a change of the used part of a limit. An agent without limits costs nothing more.
     *
     * @return when the used part may fall by itself; {@link Instant#MAX} if no limit is nearly used up
     */
    Instant judge(MeasurementInputs inputs, ReadSlices read) {
        String roleId = inputs.profile().map(AgentProfile::roleId).orElse("");
        String ownerId = inputs.pulse().map(pulse -> pulse.owner().keyId()).orElse("");
        UsageLimits limits = inputs.profile()
                .map(profile -> profile.basis().expectations().limits())
                .orElseGet(Expectations.NONE::limits);
        Map<Long, Map<UsageSource, Long>> hours = new HashMap<>();
        read.hoursOfUsage().forEach(hour -> hours.put(hour, Map.of()));
        inputs.profile()
                .filter(profile -> executions.cover(limits, roleId, ownerId))
                .ifPresent(
                        profile -> hours.putAll(withoutUsage(profile, read.hoursOfUsage(), read.hoursWithoutUsage())));
        if (usage.addToTotals(inputs.agentId(), roleId, ownerId, hours)) {
            versions.add(roleId);
        }
        return inputs.pulse()
                .filter(pulse -> !pulse.status().hasEnded())
                .filter(pulse -> limits.isDeclared() || pulse.usage().isOpen())
                .map(pulse -> judge(pulse, roleId, limits))
                .orElse(Instant.MAX);
    }

    /** Returns the executions without usage in hours that changed and in the present hour, in which the limit may be new. Costs one query for each hour. */
    private Map<Long, Map<UsageSource, Long>> withoutUsage(AgentProfile profile, Set<Long> ofUsage, Set<Long> changed) {
        Set<Long> hours = new TreeSet<>(changed);
        hours.addAll(ofUsage);
        hours.add(HourUsage.at(clock.instant()));
        Map<Long, Map<UsageSource, Long>> withoutUsage = new HashMap<>();
        hours.forEach(hour -> withoutUsage.put(
                hour,
                slices.withoutUsage(profile.agentId(), hour, profile.basis().window())));
        withoutUsage.values().removeIf(Map::isEmpty);
        return withoutUsage;
    }

    private Instant judge(Pulse pulse, String roleId, UsageLimits limits) {
        Instant now = clock.instant();
        long hour = HourUsage.at(now);
        UsageState state = UsageRule.state(limits, usage.hours(pulse.agentId(), UsageRule.firstHour(now), hour), now);
        Optional<UsageChange> change = UsageChange.due(pulse, state, limits, now);
        if (change.isPresent() && !write(change.get(), roleId, limits)) {
            dueAgents.markDue(pulse.agentId());
        }
        return state.level() == UsageLevel.NONE ? Instant.MAX : HourUsage.start(hour + 1);
    }

    /** Writes a change. A decision about a block is written first, so that an interrupted pass is repeated. */
    private boolean write(UsageChange change, String roleId, UsageLimits limits) {
        Optional<Block> decided = decision(change);
        return decided.isEmpty()
                ? findings.change(change, roleId)
                : blocks.decide(change.before(), roleId, false, decided.get())
                        && pulses.find(change.before().agentId())
                                .flatMap(pulse -> UsageChange.due(pulse, change.state(), limits, change.at()))
                                .filter(again -> findings.change(again, roleId))
                                .isPresent();
    }

    private Optional<Block> decision(UsageChange change) {
        if (!change.blocks() && !change.unblocks()) {
            return Optional.empty();
        }
        Block seen = seen(change);
        boolean isOfLimit = seen.limit()
                .filter(LimitReason.own(change.before().usage().limit())::equals)
                .isPresent();
        if (change.blocks()) {
            UsageState state = change.state();
            String reason = LimitReason.own(state.limit()).text(state);
            return seen.inForce() && !isOfLimit
                    ? Optional.empty()
                    : seen.blocked(reason, state.until(), PendingDrain.REGISTRY, change.at());
        }
        return isOfLimit ? seen.unblocked(PendingDrain.REGISTRY, change.at()) : Optional.empty();
    }

    private Block seen(UsageChange change) {
        OfAgent agent = new OfAgent(change.before().agentId());
        return blocks.of(List.of(agent)).get(agent);
    }
}
