package dev.agenthealth.functions.operations.stops;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.worker.TimeLeft;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.model.health.trust.Stop;
import dev.agenthealth.model.health.trust.StopScope;
import dev.agenthealth.model.health.trust.Stops;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Stops agents and lifts stops. Thread-safe.
 *
 * <p>The item of the stops is written first. From then on the gateway refuses calls and new registrations are stopped. The rows of the agents
 * follow: this request changes as many rows as fit into its time, and the sweep changes the others. A crash in between loses nothing, because the
 * sweep compares every row with the stops in force.
 *
 * <p>A stop writes no block. Lifting it therefore leaves every block and every command of other authors as they were.
 */
final class Stopping {

    /** The time for changing rows. The sweep continues. */
    private static final Duration FOR_ROWS = Duration.ofSeconds(8);

    private static final int PAGE = 500;

    /** The maximum number of open tasks that are read to count them. */
    private static final int MAX_TASKS_READ = 20_000;

    private final Database database;
    private final StopStore stops;
    private final AgentStore agents;
    private final DiscoveryStore discovery;
    private final OpenTaskStore tasks;
    private final KeyStore keys;
    private final CommandQueue commands;
    private final Clock clock;
    private final Log log;

    Stopping(Wiring wiring, Database database, Log log) {
        this.database = database;
        this.stops = new StopStore(database);
        this.agents = new AgentStore(database);
        this.discovery = new DiscoveryStore(database);
        this.tasks = new OpenTaskStore(database);
        this.keys = new KeyStore(database);
        this.commands = new CommandQueue(wiring);
        this.clock = wiring.clock();
        this.log = log;
    }

    /**
     * The agents of a stop.
     *
     * @param found the number of live agents that were found
     * @param changed the number of agents that got a command, or lost one
     * @param tasks the number of their running tasks of A2A
     * @param complete whether all agents and tasks were found; otherwise the sweep and the queue continue
     */
    record Agents(long found, long changed, long tasks, boolean complete) {

        private Agents with(Tasks running) {
            return new Agents(found, changed, running.found(), complete && running.complete());
        }
    }

    /** The running tasks of the agents of a stop. */
    private record Tasks(long found, boolean complete) {}

    /** A stop and its agents. */
    record Stopped(Stop stop, Agents agents) {}

    /** Returns the stops in force. */
    List<Stop> all() {
        return stops.seen().stops();
    }

    /**
     * Counts the agents that a stop would cover. Changes nothing.
     *
     * @throws ApiError 404 if it names an unknown key
     */
    Agents count(StopScope scope) {
        requireKnownKey(scope);
        return eachPage(scope, page -> 0).with(running(scope));
    }

    /** Refuses the id of a key that was never issued. An agent or a role may be stopped before its first registration. */
    private void requireKnownKey(StopScope scope) {
        if (scope.kind() == StopScope.Kind.KEY
                && keys.find(scope.id()).isEmpty()
                && keys.holder(scope.id()).isEmpty()
                && eachPage(scope, page -> 0).found() == 0) {
            throw ApiError.notFound(
                    "key_not_found", "No key has the id '" + scope.id() + "', and no agent is its own.");
        }
    }

    /**
     * Stops agents. Repeating the request with the same reason only continues with the rows.
     *
     * @throws ApiError 404 if it names an unknown key; 409 if too many stops are in force
     */
    Stopped stop(Author author, StopScope scope, String reason) {
        Stop stop = declare(author, scope, reason);
        Tasks running = running(scope);
        if (running.found() > 0 || !running.complete()) {
            commands.cancel(CommandQueue.Cancellation.START);
        }
        return new Stopped(stop, follow(scope).with(running));
    }

    /**
     * Stops agents whose rows and tasks the sweep and the queue change later.
     *
     * @throws ApiError as {@link #stop}
     */
    void stopLater(Author author, StopScope scope, String reason) {
        declare(author, scope, reason);
        commands.cancel(CommandQueue.Cancellation.START);
    }

    /** Writes a stop, from which on the gateway refuses calls. */
    private Stop declare(Author author, StopScope scope, String reason) {
        requireKnownKey(scope);
        Stop stop = OptimisticUpdates.untilPresent(() -> {
            StopStore.Seen seen = stops.seen();
            Optional<Stop> before = seen.find(scope);
            if (before.filter(known -> known.reason().equals(reason)).isPresent()) {
                return before;
            }
            if (before.isEmpty() && seen.stops().size() >= Stop.MAX_STOPS) {
                throw ApiError.conflict(
                        "too_many_stops",
                        "There are " + Stop.MAX_STOPS + " stops in force already: lift one, or stop all agents.");
            }
            Stop next = new Stop(scope, reason, author.id(), after(before));
            return recording(author, "stop.begun", scope).put(seen, next) ? Optional.of(next) : Optional.empty();
        });
        log.info("stopped", Map.of("stop", scope.text(), "by", author.id()));
        return stop;
    }

    /** Returns the time of a stop: now, but later than the stop that it replaces. The event of a stop is named by its time. */
    private Instant after(Optional<Stop> before) {
        Instant now = clock.instant();
        return before.map(known -> known.at().plusMillis(1))
                .filter(earliest -> earliest.isAfter(now))
                .orElse(now);
    }

    /**
     * Lifts a stop.
     *
     * @throws ApiError 404 if it is not in force
     */
    Agents lift(Author author, StopScope scope) {
        OptimisticUpdates.untilDone(() -> {
            StopStore.Seen seen = stops.seen();
            if (seen.find(scope).isEmpty()) {
                throw ApiError.notFound("stop_not_found", "There is no stop '" + scope.text() + "' in force.");
            }
            return recording(author, "stop.lifted", scope).remove(seen, scope, author.id());
        });
        log.info("stop_lifted", Map.of("stop", scope.text(), "by", author.id()));
        return follow(scope);
    }

    /** Returns the store with an audit entry. The reason is free text, which the audit log does not contain. */
    private StopStore recording(Author author, String action, StopScope scope) {
        AuditObject object = scope.kind() == StopScope.Kind.AGENT
                ? AuditObject.agent(scope.id())
                : new AuditObject("stop", scope.text());
        ObjectNode after = Json.object().put("stop", scope.text());
        return AuditStore.recording(database, AuditEntry.of(author, action, object, after), StopStore::new);
    }

    /** Makes the rows of the agents follow the stops that are in force now. */
    private Agents follow(StopScope scope) {
        Stops inForce = stops.stops();
        return eachPage(scope, page -> {
            List<String> asked = new ArrayList<>();
            long changed = 0;
            for (Pulse pulse : page) {
                Optional<PendingDrain> due = inForce.due(pulse);
                if (due.isPresent() && agents.putPendingDrain(pulse, due.get())) {
                    changed++;
                    if (due.get().isPending()) {
                        asked.add(pulse.agentId());
                    }
                }
            }
            agents.profiles(asked.stream()).values().forEach(commands::push);
            return changed;
        });
    }

    /** Handles the pulses of a page of agents, and returns the number of changed agents. */
    private interface PageWork {
        long on(List<Pulse> page);
    }

    private Agents eachPage(StopScope scope, PageWork work) {
        if (scope.kind() == StopScope.Kind.AGENT) {
            List<Pulse> one = agents.find(scope.id()).stream()
                    .filter(agent -> !agent.pulse().status().hasEnded())
                    .map(agent -> agent.pulse())
                    .toList();
            return new Agents(one.size(), work.on(one), 0, true);
        }
        BooleanSupplier time = TimeLeft.within(FOR_ROWS, clock, () -> true);
        DiscoveryQuery query = query(scope);
        Cursor cursor = Cursor.START;
        long found = 0;
        long changed = 0;
        while (true) {
            ListPage<ListedAgent> page = discovery.page(query, PAGE, cursor);
            List<Pulse> pulses = page.items().stream()
                    .map(ListedAgent::pulse)
                    .filter(pulse -> !pulse.status().hasEnded())
                    .toList();
            found += pulses.size();
            changed += work.on(pulses);
            if (!page.hasMore()) {
                return new Agents(found, changed, 0, true);
            }
            if (!time.getAsBoolean()) {
                return new Agents(found, changed, 0, false);
            }
            cursor = Cursor.ofText(page.next());
        }
    }

    /** Counts the tasks that the gateway saw and that have not ended. */
    private Tasks running(StopScope scope) {
        long found = 0;
        int read = 0;
        for (int shard = 0; shard < OpenTaskStore.SHARDS; shard++) {
            String after = "";
            do {
                OpenTaskStore.Shard page = tasks.page(shard, after, PAGE);
                found += page.tasks().stream()
                        .filter(task -> task.scopes().contains(scope))
                        .count();
                read += PAGE;
                after = page.next();
                if (read > MAX_TASKS_READ && !after.isEmpty()) {
                    return new Tasks(found, false);
                }
            } while (!after.isEmpty());
        }
        return new Tasks(found, true);
    }

    private static DiscoveryQuery query(StopScope scope) {
        boolean byKey = scope.kind() == StopScope.Kind.KEY;
        return new DiscoveryQuery(
                Set.copyOf(LifecycleStatus.MONITORED),
                DiscoveryQuery.Capabilities.ANY,
                scope.kind() == StopScope.Kind.ROLE ? Set.of(scope.id()) : Set.of(),
                byKey
                        ? Optional.of(Caller.ofKey(scope.id(), "", Role.AGENT, Set.of(), KeyHash.NONE))
                        : Optional.empty(),
                OptionalInt.empty(),
                false,
                false);
    }
}
