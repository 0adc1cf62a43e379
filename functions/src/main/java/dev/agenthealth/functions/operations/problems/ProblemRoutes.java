package dev.agenthealth.functions.operations.problems;

import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.Dismissals;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.problems.ProblemStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.operations.problem.Handling;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/** The routes of problems and of the actions of people on them. A problem that the caller may not see is answered with 404. Thread-safe. */
public final class ProblemRoutes {

    private static final Duration MAX_ACKNOWLEDGEMENT = Duration.ofDays(30);
    private static final int MAX_NOTE = 500;
    private static final int MAX_ASSIGNEE = 100;

    private final Database database;
    private final ProblemStore problems;
    private final ProblemAccess access;
    private final ProblemJson answers;
    private final ProblemList list;
    private final Dismissals dismissals;
    private final Clock clock;
    private final Log log;

    public ProblemRoutes(Database database, Clock clock, Log log) {
        this.database = database;
        this.problems = new ProblemStore(database);
        this.access = new ProblemAccess(database);
        this.answers = new ProblemJson(database, clock);
        this.list = new ProblemList(problems, access, answers, clock);
        this.dismissals = new Dismissals(database, clock);
        this.clock = clock;
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("GET /api/v1/problems", ANY_KEY, list::list, QUERY)
                .on("GET /api/v1/problems/{problem_id}", ANY_KEY, this::get)
                .on("POST /api/v1/problems/{problem_id}/acknowledge", ANY_KEY, this::acknowledge)
                .on("POST /api/v1/problems/{problem_id}/dismiss", COORDINATOR, this::dismiss);
    }

    private ApiResponse get(ApiRequest request) {
        return answer(request, existing(request));
    }

    /**
     * {@code POST …/acknowledge}: acknowledges a problem, by default for 30 days, and no longer than the problem lasts. With 0 seconds, it takes the
     * acknowledgement back.
     */
    private ApiResponse acknowledge(ApiRequest request) {
        Fields body = request.optionalFields();
        String note = body.text("note", MAX_NOTE).strip();
        String assignee = body.text("assignee", MAX_ASSIGNEE).strip();
        Instant now = clock.instant();
        Instant latest = now.plus(MAX_ACKNOWLEDGEMENT);
        OptionalInt seconds = body.integer("for_seconds", 0, (int) MAX_ACKNOWLEDGEMENT.toSeconds());
        Optional<Instant> until = body.timestamp("until");
        if (seconds.isPresent() && until.isPresent()) {
            body.refuse("for_seconds", "must be left out where there is 'until'");
        }
        if (until.isPresent() && (!until.get().isAfter(now) || until.get().isAfter(latest))) {
            body.refuse("until", "must be in the future and at most 30 days from now");
        }
        Instant end = until.orElse(seconds.isPresent() ? now.plusSeconds(seconds.getAsInt()) : latest);
        return answer(
                request,
                handle(
                        request,
                        body,
                        "problem.acknowledged",
                        (problem, by) -> problem.acknowledgedBy(handling(problem, by, assignee, note, end))));
    }

    /** {@code POST …/dismiss}: closes a problem until it occurs again. A dead agent then no longer counts as down. A repetition changes nothing. */
    private ApiResponse dismiss(ApiRequest request) {
        Fields body = request.optionalFields();
        String note = body.text("note", MAX_NOTE).strip();
        access.checkMayDismiss(request.caller(), existing(request));
        SubjectProblem dismissed = handle(
                request,
                body,
                "problem.dismissed",
                (problem, by) -> problem.dismissal().isPresent()
                        ? problem
                        : problem.dismissedBy(handling(problem, by, "", note, Instant.MAX)));
        // This comes last, as the event of the agent's dismissal ends the problem. A repetition after a crash gets
        // here again.
        if (dismissed.isDeath() && access.isDead(dismissed.agentId())) {
            dismissals.dismiss(request.author(), dismissed.agentId(), note);
        }
        return answer(request, dismissed);
    }

    /**
     * Changes the problem of a request.
     *
     * @throws ApiError 404 if the problem does not exist, 409 if it is over, or is not the problem that the caller saw
     */
    private SubjectProblem handle(
            ApiRequest request, Fields body, String what, BiFunction<SubjectProblem, Caller, SubjectProblem> change) {
        Optional<Instant> seen = body.timestamp("opened_at");
        body.refuseUnknown();
        body.check();
        SubjectProblem changed = OptimisticUpdates.untilPresent(() -> {
            SubjectProblem problem = existing(request);
            if (seen.isPresent() && !seen.get().equals(problem.openedAt())) {
                throw ApiError.conflict("problem_changed", "The problem that began then is over; another one began.");
            }
            SubjectProblem after = change.apply(problem, request.caller());
            boolean same = after.equals(problem);
            if (!same && problem.isClosed()) {
                throw ApiError.conflict("problem_closed", "The problem is over, or was dismissed.");
            }
            return same || recording(request, what, after).write(after) ? Optional.of(after) : Optional.empty();
        });
        log.info(
                what.replace('.', '_'),
                Map.of("problem", changed.id(), "by", request.caller().keyId()));
        return changed;
    }

    /** Returns a store that records the action in the audit log. The log does not have the note, as it is a free text. */
    private ProblemStore recording(ApiRequest request, String action, SubjectProblem problem) {
        ObjectNode after = Json.object();
        if (!problem.agentId().isEmpty()) {
            after.put("agent_id", problem.agentId());
        }
        return AuditStore.recording(
                database,
                AuditEntry.of(request.author(), action, new AuditObject("problem", problem.id()), after),
                ProblemStore::new);
    }

    private Handling handling(SubjectProblem problem, Caller by, String assignee, String note, Instant until) {
        return new Handling(by.keyId(), by.name(), assignee, clock.instant(), note, until, Handling.Seen.of(problem));
    }

    private SubjectProblem existing(ApiRequest request) {
        String id = request.pathId("problem_id");
        return problems.find(id)
                .filter(problem -> access.maySee(request.caller(), problem))
                .orElseThrow(() -> ApiError.notFound("problem_not_found", "There is no problem '" + id + "'."));
    }

    private ApiResponse answer(ApiRequest request, SubjectProblem problem) {
        return ApiResponse.json(200, answers.withTimeline(request, problem));
    }
}
