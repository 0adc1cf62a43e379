package dev.agenthealth.functions.health.availability;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.BlockedAgents;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.events.StatusHistory;
import dev.agenthealth.functions.storage.history.AgentDayStore;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.functions.storage.silences.SilenceStore;
import dev.agenthealth.model.health.VerdictReason;
import dev.agenthealth.model.health.availability.AgentDay;
import dev.agenthealth.model.health.availability.Availability;
import dev.agenthealth.model.health.availability.Coverage;
import dev.agenthealth.model.health.availability.Timeline;
import dev.agenthealth.model.health.availability.VerdictTimeline;
import dev.agenthealth.model.operations.silence.SilenceLabels;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The availability of an agent by its verdict, from its events and, for earlier times, from its stored days. Thread-safe. */
final class AgentAvailability {

    /** The time for which events are certain to exist, 30 days. A day is stored at most two days after its beginning. */
    private static final Duration BY_EVENTS = Duration.ofDays(30);

    /** The time before now that events cover in a longer window. Stored days cover the time before it. */
    private static final Duration BY_EVENTS_BEFORE_DAYS = Duration.ofDays(27);

    private final AgentAccess access;
    private final EventStore events;
    private final AgentDayStore days;
    private final FleetHistoryStore fleet;
    private final SilenceStore silences;
    private final Database database;
    private final Clock clock;

    AgentAvailability(Database database, Clock clock) {
        this.database = database;
        this.silences = new SilenceStore(database);
        this.access = new AgentAccess(new AgentStore(database));
        this.events = new EventStore(database);
        this.days = new AgentDayStore(database);
        this.fleet = new FleetHistoryStore(database);
        this.clock = clock;
    }

    /**
     * {@code GET /api/v1/agents/{agent_id}/availability}. The availability stays after the agent is deregistered.
     *
     * @throws ApiError 403 and 404 as for the agent's record
     */
    ApiResponse answer(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        AvailabilityAnswer answer = AvailabilityAnswer.of(request);
        // The pulse is read before the events. So a change that only the events have is newer than the pulse.
        Read read = read(access.find(request.caller(), agentId), answer.window());
        return answer.of("agent_id", agentId, read.availability(), read.truncated());
    }

    /**
     * The availability of an agent as it was read.
     *
     * @param truncated whether there were too many changes to read all of them
     */
    record Read(Availability availability, boolean truncated) {}

    /** Returns the availability of an agent that was just read. */
    Read read(StoredAgent agent, Window window) {
        Pulse pulse = agent.pulse();
        String agentId = pulse.agentId();
        // The agent's events do not record the limits that it shares.
        List<VerdictReason> current = BlockedAgents.now(database)
                .facts(agent.listed(), clock.instant())
                .sharing(Optional.empty())
                .reasons();
        Instant to = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant from = to.minus(window.length());
        boolean byEvents = window.length().compareTo(BY_EVENTS) <= 0;
        Instant eventsFrom = byEvents ? from : to.minus(BY_EVENTS_BEFORE_DAYS).truncatedTo(ChronoUnit.DAYS);
        StatusHistory history = events.statusHistory(agentId, eventsFrom);
        Timeline heartbeats = Timeline.of(eventsFrom, to, knownFrom(history, pulse), history.changes(), pulse.status());
        Timeline verdicts = VerdictTimeline.of(eventsFrom, to, knownFrom(history, pulse), history.reasons(), current);
        List<AgentDay> stored =
                byEvents ? List.of() : days.days(agentId, AgentDay.at(from), AgentDay.at(eventsFrom) - 1);
        Availability availability = Availability.of(
                before(from, eventsFrom, stored, AgentDay::states, verdicts)
                        .inMaintenance(maintenance(agent, from, to)),
                before(from, eventsFrom, stored, AgentDay::heartbeats, heartbeats),
                FleetHistory.read(fleet, from, to).coverage(to),
                byHeartbeatsUntil(stored));
        return new Read(availability, history.truncated());
    }

    /** Returns the timeline with the states of stored days before it. */
    private static Timeline before(
            Instant from, Instant to, List<AgentDay> stored, Function<AgentDay, Timeline> of, Timeline recent) {
        return from.isBefore(to)
                ? AgentDay.timeline(from, to, stored, of, recent.spans().get(0).state())
                        .then(recent)
                : recent;
    }

    /** Returns the end of the last day that an earlier version stored. */
    private static Optional<Instant> byHeartbeatsUntil(List<AgentDay> stored) {
        return stored.stream()
                .filter(day -> !day.hasVerdicts())
                .map(day -> AgentDay.start(day.day() + 1))
                .reduce((first, last) -> last);
    }

    /** Returns the time in which a silence covers the agent. Silences are kept for two days after their end. */
    private Coverage maintenance(StoredAgent agent, Instant from, Instant to) {
        SilenceLabels labels = new SilenceLabels(
                agent.pulse().agentId(),
                agent.profile().roleId(),
                agent.pulse().owner().keyId(),
                Set.copyOf(agent.profile().listed().capabilities()));
        return Coverage.ofPeriods(silences.all().stream()
                .filter(silence -> silence.covers(labels))
                .flatMap(silence -> silence.period().between(Timeline.later(from, silence.createdAt()), to).stream())
                .map(active -> new Coverage.Period(active.from(), active.to()))
                .toList());
    }

    /** Returns the time from which the status is known. If the event of the last change is missing, this is the time of that change. */
    private static Instant knownFrom(StatusHistory history, Pulse pulse) {
        boolean unexplained = history.changes().isEmpty() && pulse.statusSince().isAfter(history.knownFrom());
        return unexplained ? pulse.statusSince() : history.knownFrom();
    }
}
