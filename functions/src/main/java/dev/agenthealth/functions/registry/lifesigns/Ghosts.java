package dev.agenthealth.functions.registry.lifesigns;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.ghosts.GhostStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.registry.lifecycle.GhostActivity;
import dev.agenthealth.model.registry.lifecycle.GhostRule;
import dev.agenthealth.model.registry.lifecycle.GhostSource;
import dev.agenthealth.model.registry.lifecycle.GhostState;
import dev.agenthealth.model.registry.lifecycle.InstanceRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Sighting;
import dev.agenthealth.model.registry.profile.RegistrationHistory;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Finds processes that are active although their agent is dead, deregistered, superseded or blocked. Costs nothing for other agents. A failure
 * never fails the request that showed the activity. Thread-safe.
 */
public final class Ghosts {

    /** The maximum number of activities that one pass of the sweep ends. The next pass continues. */
    private static final int MAX_ENDS = 200;

    private final Database database;
    private final GhostStore ghosts;
    private final AgentStore agents;
    private final Clock clock;
    private final Log log;

    public Ghosts(Database database, Clock clock, Log log) {
        this.database = database;
        this.ghosts = new GhostStore(database);
        this.agents = new AgentStore(database);
        this.clock = clock;
        this.log = log;
    }

    /**
     * Counts an activity, if the agent must not be active.
     *
     * @param seen the agent as read; another read follows only if the agent must not be active
     * @param named the incarnation that the request names, or {@link Pulse#ANY_INCARNATION}
     * @param happenedAt when the activity happened; a time in the future counts as now
     * @param address the network address of the sender; empty if it is unknown
     */
    public void seen(Pulse seen, GhostSource source, long named, Instant happenedAt, String address) {
        Instant now = clock.instant();
        if (GhostRule.state(seen, named, now).isEmpty()) {
            return;
        }
        try {
            // If another request is faster, the next activity counts.
            ghosts.find(agents, seen.agentId()).flatMap(found -> sighting(
                            found.agent(), source, named, happenedAt.isAfter(now) ? now : happenedAt, address)
                    .map(sighting -> count(found.agent(), found.activity(), sighting)));
        } catch (RuntimeException e) {
            log.failure("activity_while_gone_not_counted", seen.agentId(), e);
        }
    }

    private Optional<Sighting> sighting(StoredAgent agent, GhostSource source, long named, Instant at, String address) {
        Pulse pulse = agent.pulse();
        Optional<GhostState> state = GhostRule.state(pulse, named, clock.instant());
        return state.filter(found -> isAfterEnd(pulse, found, source, at))
                .map(found -> new Sighting(
                        source,
                        found,
                        found == GhostState.SUPERSEDED ? named : pulse.incarnation(),
                        pulse.end().isByOperator(),
                        at,
                        instance(agent.profile().history(), found, pulse.incarnation() - named),
                        address));
    }

    private boolean isAfterEnd(Pulse pulse, GhostState state, GhostSource source, Instant at) {
        return switch (state) {
            // A refused request happens when it arrives.
            case SUPERSEDED -> true;
            case DEAD, DEREGISTERED ->
                source == GhostSource.HEARTBEATS
                        || source == GhostSource.LEASES
                        || GhostRule.isAfterEnd(at, pulse.statusSince());
            case BLOCKED, STOPPED ->
                blockedSince(pulse)
                        .filter(since -> GhostRule.isAfterEnd(at, since))
                        .isPresent();
        };
    }

    /** Returns the beginning of the block or of the stop. A stop counts after the next heartbeat, whose answer asks the agent to drain. */
    private Optional<Instant> blockedSince(Pulse pulse) {
        BlockStore.Blocks decided = new BlockStore(database).of(pulse.agentId(), Set.of());
        return pulse.coordination().blockedUntil().isAfter(clock.instant())
                ? Optional.of(decided.ofAgent().at())
                : decided.stops().of(pulse).map(Stop::at).filter(since -> pulse.lastHeartbeatAt()
                        .isAfter(since));
    }

    private static String instance(RegistrationHistory history, GhostState state, long registrationsAgo) {
        if (state != GhostState.SUPERSEDED) {
            return history.instance().equals(InstanceRule.UNKNOWN) ? history.previousInstance() : history.instance();
        }
        return registrationsAgo == 1 ? history.previousInstance() : InstanceRule.UNKNOWN;
    }

    private boolean count(StoredAgent agent, Optional<GhostActivity> before, Sighting sighting) {
        Optional<GhostActivity> after = GhostRule.after(before, sighting);
        if (after.isEmpty()) {
            return false;
        }
        return GhostRule.isToPublish(after.get())
                ? ghosts.publish(agent, before, after.get())
                : ghosts.put(agent.pulse().agentId(), before, after.get());
    }

    /** Publishes the ends of activities that are over. */
    public void noteEnds(BooleanSupplier timeLeft) {
        Instant now = clock.instant();
        for (GhostStore.Due due : ghosts.due(now, MAX_ENDS)) {
            if (!timeLeft.getAsBoolean()) {
                return;
            }
            noteEnd(due, now);
        }
    }

    /** If another request changes the activity or the agent meanwhile, the next pass continues. */
    private void noteEnd(GhostStore.Due due, Instant now) {
        Optional<GhostActivity> activity = ghosts.find(due.agentId()).filter(GhostActivity::published);
        Optional<StoredAgent> agent = agents.find(due.agentId());
        if (activity.isEmpty() || agent.isEmpty()) {
            ghosts.forget(due);
        } else if (GhostRule.isOver(activity.get(), now)) {
            ghosts.end(agent.get(), activity.get(), due);
        } else {
            ghosts.postpone(due, activity.get().last().at().plus(GhostRule.OVER_AFTER));
        }
    }
}
