package dev.agenthealth.functions.health.availability;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.events.StatusHistory;
import dev.agenthealth.functions.storage.history.AgentDayStore;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.model.health.availability.AgentDay;
import dev.agenthealth.model.health.availability.Availability;
import dev.agenthealth.model.health.availability.Timeline;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The availability of an agent, from the events of its lifecycle and, for earlier times, from its stored days. Thread-safe. */
final class AgentAvailability {

    /** The time for which events are certain to exist, 30 days. A day is stored at most two days after its beginning. */
    private static final Duration BY_EVENTS = Duration.ofDays(30);

    /** The time before now that events cover in a longer window. Stored days cover the time before it. */
    private static final Duration BY_EVENTS_BEFORE_DAYS = Duration.ofDays(27);

    private final AgentAccess access;
    private final EventStore events;
    private final AgentDayStore days;
    private final FleetHistoryStore fleet;
    private final Clock clock;

    AgentAvailability(Database database, Clock clock) {
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
        Pulse pulse = access.find(request.caller(), agentId).pulse();
        Instant to = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant from = to.minus(answer.window().length());
        boolean byEvents = answer.window().length().compareTo(BY_EVENTS) <= 0;
        Instant eventsFrom = byEvents ? from : to.minus(BY_EVENTS_BEFORE_DAYS).truncatedTo(ChronoUnit.DAYS);
        StatusHistory history = events.statusHistory(agentId, eventsFrom);
        Timeline recent = Timeline.of(eventsFrom, to, knownFrom(history, pulse), history.changes(), pulse.status());
        Timeline states = byEvents ? recent : before(agentId, from, eventsFrom, recent);
        Availability availability =
                Availability.of(states, FleetHistory.read(fleet, from, to).coverage(to));
        return answer.of("agent_id", agentId, availability, history.truncated());
    }

    /** Returns the timeline with the states of stored days before it. */
    private Timeline before(String agentId, Instant from, Instant to, Timeline recent) {
        List<AgentDay> stored = days.days(agentId, AgentDay.at(from), AgentDay.at(to) - 1);
        return AgentDay.timeline(from, to, stored, recent.spans().get(0).state())
                .then(recent);
    }

    /** Returns the time from which the status is known. If the event of the last change is missing, this is the time of that change. */
    private static Instant knownFrom(StatusHistory history, Pulse pulse) {
        boolean unexplained = history.changes().isEmpty() && pulse.statusSince().isAfter(history.knownFrom());
        return unexplained ? pulse.statusSince() : history.knownFrom();
    }
}
