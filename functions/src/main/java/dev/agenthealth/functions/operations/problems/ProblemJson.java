package dev.agenthealth.functions.operations.problems;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.silences.SilenceFinder;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.problem.Handling;
import dev.agenthealth.model.operations.problem.ProblemCause;
import dev.agenthealth.model.operations.problem.ProblemMoment;
import dev.agenthealth.model.operations.problem.ProblemState;
import dev.agenthealth.model.operations.problem.ProblemText;
import dev.agenthealth.model.operations.problem.ProblemTimeline;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import dev.agenthealth.model.operations.silence.Silence;
import dev.agenthealth.model.operations.silence.SilenceLabels;
import dev.agenthealth.model.registry.workflow.RoleContact;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The JSON form of problems, with the silence that covers each problem now. Thread-safe. */
final class ProblemJson {

    private static final String REASON = "reason";

    private final SilenceFinder silences;
    private final ProblemSubjects subjects;
    private final ProblemCauses causes;
    private final BlockReasons reasons;
    private final Clock clock;

    ProblemJson(Database database, Clock clock) {
        this.silences = new SilenceFinder(database);
        this.subjects = new ProblemSubjects(database);
        this.causes = new ProblemCauses(database);
        this.reasons = new BlockReasons(database);
        this.clock = clock;
    }

    /** Returns the problems for the caller of a request. Only callers that may list agents see the reasons of blocks and stops. */
    List<ObjectNode> of(ApiRequest request, List<SubjectProblem> problems) {
        String origin = request.served().baseUrl();
        Map<String, String> ofBlocks = request.caller().mayListAgents() ? reasons.of(problems) : Map.of();
        Instant now = clock.instant();
        List<SilenceLabels> labels = problems.stream()
                .map(problem -> SilenceLabels.of(problem.agentId(), problem.roleId()))
                .toList();
        List<Optional<Silence>> covering = silences.covering(silences.active(now), labels, now);
        List<ProblemText.Now> states = subjects.of(problems);
        List<Optional<ProblemCause>> known = causes.of(problems, states);
        Map<String, RoleContact> contacts = subjects.contacts(problems);
        List<ObjectNode> shown = new ArrayList<>();
        for (int i = 0; i < problems.size(); i++) {
            ObjectNode json = of(problems.get(i), ProblemText.of(problems.get(i), states.get(i)), now, origin);
            Optional.ofNullable(ofBlocks.get(problems.get(i).id())).ifPresent(reason -> json.put(REASON, reason));
            put(json, contacts.getOrDefault(problems.get(i).namedRoleId(), RoleContact.NONE));
            states.get(i)
                    .pulse()
                    .ifPresent(pulse -> json.put("owner_key_id", pulse.owner().keyId()));
            known.get(i).ifPresent(cause -> json.putObject("cause")
                    .put("kind", cause.kind().wireName())
                    .put("id", cause.id()));
            covering.get(i).ifPresent(silence -> json.put("in_maintenance", silence.name()));
            shown.add(json);
        }
        return shown;
    }

    /** Returns one problem with its timeline, which lists leave out. */
    ObjectNode withTimeline(ApiRequest request, SubjectProblem problem) {
        ObjectNode json = of(request, List.of(problem)).get(0);
        ArrayNode timeline = json.putArray("timeline");
        ProblemTimeline.of(problem).forEach(moment -> put(timeline.addObject(), moment));
        return json;
    }

    private static void put(ObjectNode json, ProblemMoment moment) {
        json.put("at", Timestamps.text(moment.at())).put("what", moment.kind().wireName());
        moment.severity().ifPresent(severity -> json.put("severity", severity.wireName()));
        switch (moment.kind()) {
            case NOTIFIED ->
                json.put("rule", moment.name()).put("message_id", moment.id()).put("result", moment.result());
            case SILENCED -> json.put("silence", moment.name());
            case ACKNOWLEDGED, RELEASED, DISMISSED -> {
                json.put("by", moment.id());
                putText(json, "by_name", moment.name());
                putText(json, "assignee", moment.result());
            }
            case OPENED, WORSENED, EASED, OVER -> {}
        }
    }

    private static ObjectNode of(SubjectProblem problem, ProblemText text, Instant now, String origin) {
        ProblemState state = problem.state(now);
        ObjectNode json = Json.object()
                .put("problem_id", problem.id())
                .put("kind", problem.kind().wireName())
                .put("state", state.wireName())
                .put("severity", problem.severity().wireName());
        putText(json, "agent_id", problem.namedAgentId());
        putText(json, "role_id", problem.namedRoleId());
        putText(json, "provider_id", problem.providerId());
        json.put("title", text.title())
                .put("label", text.label())
                .put(REASON, text.reason())
                .put("summary", problem.summary())
                .put("opened_at", Timestamps.text(problem.openedAt()))
                .put("occurrences", problem.occurrences());
        problem.resolvedAt().ifPresent(at -> json.put("resolved_at", Timestamps.text(at)));
        json.putObject("last_event")
                .put("event_id", problem.last().eventId())
                .put("type", problem.last().type())
                .put("at", Timestamps.text(problem.last().at()));
        if (!state.isClosed()) {
            problem.acknowledgement(now).ifPresent(handling -> put(json.putObject("acknowledgement"), handling)
                    .put("until", Timestamps.text(handling.until())));
        }
        problem.dismissal().ifPresent(handling -> put(json.putObject("dismissal"), handling));
        return json.put("url", origin + "/#/problems/" + problem.id());
    }

    private static void put(ObjectNode json, RoleContact contact) {
        putText(json, "contact", contact.contact());
        putText(json, "runbook_url", contact.runbookUrl());
    }

    private static ObjectNode put(ObjectNode json, Handling handling) {
        json.put("by", handling.by());
        putText(json, "by_name", handling.byName());
        putText(json, "assignee", handling.assignee());
        json.put("at", Timestamps.text(handling.at()));
        putText(json, "note", handling.note());
        return json;
    }

    private static void putText(ObjectNode json, String name, String text) {
        if (!text.isEmpty()) {
            json.put(name, text);
        }
    }
}
