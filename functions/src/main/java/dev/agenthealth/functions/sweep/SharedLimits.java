package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.usage.SharedUsageStore;
import dev.agenthealth.functions.storage.usage.UsageStore;
import dev.agenthealth.model.registry.usage.LimitHolder;
import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.SharedLimit;
import dev.agenthealth.model.registry.usage.SharedUsage;
import dev.agenthealth.model.registry.usage.SharedUsageChange;
import dev.agenthealth.model.registry.usage.SharedUsages;
import dev.agenthealth.model.registry.usage.Usage;
import dev.agenthealth.model.registry.usage.UsageRule;
import dev.agenthealth.model.registry.usage.UsageState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Judges the limits that the agents of a role or an owner share, by the totals of the usage, and acts on these agents. Thread-safe.
 *
 * <p>The level is stored once for the role or the owner, and readers add it to the verdict of each agent. Only an action such as a block is written
 * for each agent.
 */
final class SharedLimits {

    /** The maximum number of roles and owners that a pass judges. If there are more, passes take turns. */
    static final int MAX_JUDGED = 200;

    /** The maximum number of agents of a role or an owner that a pass reads to act on them. The next pass continues. */
    static final int MAX_MEMBERS = 1_000;

    private static final int MEMBERS_OF_READ = 100;

    private final UsageStore usage;
    private final SharedUsageStore shared;
    private final AgentStore agents;
    private final BlockStore blocks;
    private final Log log;

    SharedLimits(Database database, Log log) {
        this.usage = new UsageStore(database);
        this.shared = new SharedUsageStore(database);
        this.agents = new AgentStore(database);
        this.blocks = new BlockStore(database);
        this.log = log;
    }

    /**
     * Stores and publishes changes of the used part of limits. If this fails, the pass continues, and the next pass decides. Costs one query, and one
     * read for twelve roles or owners with a limit.
     *
     * @return the limits that are nearly or wholly used now
     */
    SharedUsages judge(List<SharedLimit> declared, Instant now) {
        try {
            SharedUsages open = shared.open();
            Map<LimitHolder, UsageState> states = states(turn(declared, now), now);
            Map<LimitHolder, OnExceeded> actions = actions(declared);
            open.open().stream()
                    .map(SharedUsage::holder)
                    .filter(holder ->
                            declared.stream().noneMatch(limit -> limit.holder().equals(holder)))
                    .forEach(holder -> states.put(holder, UsageState.NONE));
            Map<LimitHolder, SharedUsage> after = new HashMap<>();
            open.open().forEach(usage -> after.put(usage.holder(), usage));
            states.forEach((holder, state) -> SharedUsageChange.due(
                            holder, open.of(holder), state, actions.getOrDefault(holder, OnExceeded.NONE), now)
                    // If another pass was faster, this pass changes nothing.
                    .filter(shared::put)
                    .ifPresent(change -> change.after()
                            .ifPresentOrElse(usage -> after.put(holder, usage), () -> after.remove(holder))));
            return new SharedUsages(List.copyOf(after.values()));
        } catch (RuntimeException e) {
            log.failure("shared_limits_not_judged", "limits", e);
            return SharedUsages.NONE;
        }
    }

    private Map<LimitHolder, UsageState> states(List<SharedLimit> declared, Instant now) {
        Map<LimitHolder, List<Usage>> sums =
                usage.inHourAndDay(declared.stream().map(SharedLimit::holder).toList(), now);
        Map<LimitHolder, UsageState> states = new HashMap<>();
        declared.forEach(limit -> {
            List<Usage> used = sums.get(limit.holder());
            states.put(limit.holder(), UsageRule.shared(limit.limits(), used.get(0), used.get(1), now));
        });
        return states;
    }

    private static Map<LimitHolder, OnExceeded> actions(List<SharedLimit> declared) {
        Map<LimitHolder, OnExceeded> actions = new HashMap<>();
        declared.forEach(limit -> actions.put(limit.holder(), limit.limits().onExceeded()));
        return actions;
    }

    private static List<SharedLimit> turn(List<SharedLimit> declared, Instant now) {
        if (declared.size() <= MAX_JUDGED) {
            return declared;
        }
        List<SharedLimit> sorted = declared.stream()
                .sorted(Comparator.comparing(limit -> limit.holder().text()))
                .toList();
        int from = Math.floorMod(now.getEpochSecond(), sorted.size());
        List<SharedLimit> turn = new ArrayList<>(sorted.subList(from, Math.min(sorted.size(), from + MAX_JUDGED)));
        turn.addAll(sorted.subList(0, MAX_JUDGED - turn.size()));
        return turn;
    }

    /**
     * Acts on the agents whose limit is used up, if the limit says so, and lifts blocks of a limit that was raised or removed. Each pass blocks agents
     * that registered later, too. Agents are asked to drain or to restart once. Agents that register later are asked to drain at their registration.
     *
     * @param open the result of {@link #judge}
     */
    void act(List<SharedLimit> declared, SharedUsages open, Instant now, BooleanSupplier timeLeft) {
        Map<LimitHolder, OnExceeded> actions = actions(declared);
        try {
            for (SharedUsage used : open.open()) {
                OnExceeded action = actions.getOrDefault(used.holder(), OnExceeded.NONE);
                SharedUsage current = used.isExceeded(now) ? asking(used, action == OnExceeded.DRAIN) : used;
                if (current.lifting() || action != OnExceeded.NONE && current.isExceeded(now)) {
                    reach(current, action, now, timeLeft);
                }
            }
        } catch (RuntimeException e) {
            log.failure("shared_limits_not_enforced", "limits", e);
        }
    }

    /** Stores whether agents that register are asked to drain. This is stored before the other agents are read, so that no agent is missed. */
    private SharedUsage asking(SharedUsage used, boolean asks) {
        return used.asking() != asks && shared.putReached(used, used.asking(asks)) ? used.asking(asks) : used;
    }

    /** Acts on the next agents, and stores how far it came. */
    private void reach(SharedUsage used, OnExceeded action, Instant now, BooleanSupplier timeLeft) {
        SharedLimitAct act = new SharedLimitAct(agents, blocks, used, action, now);
        String through = used.through();
        boolean complete = false;
        for (int read = 0;
                read < MAX_MEMBERS && !complete && !through.equals(SharedUsage.ALL) && timeLeft.getAsBoolean();
                read += MEMBERS_OF_READ) {
            List<String> members = shared.members(used.holder(), through, MEMBERS_OF_READ);
            if (!act.on(members, timeLeft)) {
                break;
            }
            complete = members.size() < MEMBERS_OF_READ;
            through = complete ? act.end() : members.get(members.size() - 1);
        }
        if (complete && used.lifting()) {
            shared.putLifted(used);
        } else if (!through.equals(used.through())) {
            shared.putReached(used, used.reached(through));
        }
    }
}
