package dev.agenthealth.functions.health.availability;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.health.availability.Availability;
import dev.agenthealth.model.health.availability.Coverage;
import dev.agenthealth.model.health.availability.FleetMinute;
import dev.agenthealth.model.health.availability.GroupAvailability;
import dev.agenthealth.model.health.availability.GroupPiece;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.identity.GroupNumber;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The availability of the fleet and of roles. For a day it comes from counts by minute, for longer windows from counts by hour.
 * Thread-safe.
 */
final class GroupAvailabilities {

    private final FleetHistoryStore history;
    private final GroupStore groups;
    private final Clock clock;

    GroupAvailabilities(Database database, Clock clock) {
        this.history = new FleetHistoryStore(database);
        this.groups = new GroupStore(database);
        this.clock = clock;
    }

    /** {@code GET /api/v1/health/availability}. */
    ApiResponse ofFleet(ApiRequest request) {
        AvailabilityAnswer answer = AvailabilityAnswer.of(request);
        Availability availability = availability(answer.window(), FleetMinute.FLEET);
        return answer.of("", "", availability, false);
    }

    /**
     * {@code GET /api/v1/pools/{role_id}/availability}. If the role was not among the largest roles at a time, its availability at that
     * time is unknown.
     *
     * @throws ApiError 403 for a key of other roles; 404 for a role that no agent and no workflow names
     */
    ApiResponse ofRole(ApiRequest request) {
        String roleId = request.pathId("role_id");
        if (!request.caller().maySeeRole(roleId)) {
            throw ApiError.forbidden("This key may not read the pool of role '" + roleId + "'.");
        }
        AvailabilityAnswer answer = AvailabilityAnswer.of(request);
        Availability availability = find(roleId, answer.window())
                .orElseThrow(() -> ApiError.notFound(
                        "pool_not_found", "No agent has the role '" + roleId + "', and no workflow declares it."));
        return answer.of("role_id", roleId, availability, false);
    }

    /** Returns the availability of a role; empty if no agent and no workflow names it. */
    Optional<Availability> find(String roleId, Window window) {
        return groups.find(GroupKind.ROLE, roleId).isEmpty()
                ? Optional.empty()
                : Optional.of(availability(window, GroupNumber.of(roleId)));
    }

    private Availability availability(Window window, long group) {
        Instant now = clock.instant();
        boolean byMinute = window == Window.DAY;
        Instant end = now.truncatedTo(ChronoUnit.MINUTES);
        Instant from = end.minus(window.length()).truncatedTo(byMinute ? ChronoUnit.MINUTES : ChronoUnit.HOURS);
        FleetHistory counts =
                byMinute ? FleetHistory.minutes(history, from, end) : FleetHistory.read(history, from, end);
        List<GroupPiece> pieces = counts.pieces(group).stream()
                .filter(piece -> !piece.from().isBefore(from) && !piece.to().isAfter(end))
                .toList();
        return GroupAvailability.of(from, counted(pieces, end), pieces);
    }

    /** Returns the end of the last count, or {@code end} if the next count is overdue. */
    private static Instant counted(List<GroupPiece> pieces, Instant end) {
        Instant last =
                pieces.isEmpty() ? Instant.MIN : pieces.get(pieces.size() - 1).to();
        return last.isBefore(end.minus(Coverage.MAX_DELAY)) ? end : last;
    }
}
