package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.registry.lifecycle.LastEnd;
import dev.agenthealth.model.registry.lifecycle.LifeSigns.Mode;
import dev.agenthealth.model.registry.lifecycle.LoopRule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Repetition;
import dev.agenthealth.model.registry.lifecycle.StallRule;
import dev.agenthealth.model.registry.lifecycle.WaitingRule;
import dev.agenthealth.model.registry.lifecycle.Workload;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.profile.ListedProfile;
import dev.agenthealth.model.registry.upstream.UpstreamProblem;
import dev.agenthealth.model.registry.usage.SharedUsage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** The JSON of an agent: the full record (RFC-0016 §1), and the item of a listing (§6.1). Unknown values are null. */
public final class AgentRecordJson {

    /** Warnings about fields of a registration that have no effect. Only the answer to a registration has this field. */
    static final String WARNINGS = "warnings";

    /** The address of heartbeats. Only deployments with a separate address for heartbeats have this field. */
    static final String HEARTBEAT_URL = "heartbeat_url";

    static final String EXPECTED_AT = "expected_at";

    /** The place of the process that the agent names, such as a host or a pod. */
    static final String INSTANCE = "instance";

    /** The id of the key that owns the agent. */
    static final String OWNER_KEY_ID = "owner_key_id";

    /** The problem of a model provider that concerns the agent. */
    private static final String UPSTREAM = "upstream";

    /** The used part of the model's context, which the last heartbeat with this field reported. */
    private static final String CONTEXT_USED = "context_used";

    /** False if no sign of life came since the registration; absent otherwise. */
    private static final String HEARD = "heard";

    private static final int DECIMALS_OF_CONTEXT = 2;

    /** The nearly or wholly used limit that the agent shares with others. */
    private static final String SHARED_LIMIT = "shared_limit";

    private AgentRecordJson() {}

    /**
     * Returns the full record.
     *
     * @param unleasedTasks the tasks of the agent for which it holds no lease
     */
    static ObjectNode full(StoredAgent agent, List<String> unleasedTasks) {
        AgentProfile profile = agent.profile();
        Pulse pulse = agent.pulse();
        ObjectNode json = item(agent.listed());
        putText(json, "endpoint", profile.agentInterface().endpoint());
        json.put("a2a_version", profile.agentInterface().a2a().version().wireName());
        json.put("a2a_binding", profile.agentInterface().a2a().binding().wireName());
        if (!profile.agentInterface().a2a().tenant().isEmpty()) {
            json.put("a2a_tenant", profile.agentInterface().a2a().tenant());
        }
        json.put("accepts_push", profile.agentInterface().acceptsPush());
        DeclaredFields.put(json.putObject("heartbeat_config"), pulse.config());
        WatchFields.put(json, profile.watch());
        json.set("metadata", Json.stored(profile.description().metadata()));
        json.put("registered_at", Timestamps.text(profile.history().registeredAt()));
        json.put("version", pulse.version());
        json.put("incarnation", pulse.incarnation());
        putText(json, INSTANCE, profile.history().instance());
        json.put(OWNER_KEY_ID, pulse.owner().keyId());
        json.put("status_since", Timestamps.text(pulse.statusSince()));
        putEnd(json, "end", pulse.end());
        putEnd(json, "previous_end", pulse.previousEnd());
        if (pulse.drain().isUnderWay()) {
            json.put("drain_deadline", Timestamps.text(pulse.drain().deadline()));
        }
        agent.tasks().forEach(json.putArray("tasks_in_progress")::add);
        putText(json, "waiting_for", agent.waitsFor());
        unleasedTasks.forEach(json.putArray("unleased_tasks")::add);
        putText(json, "agent_uri", profile.description().agentUri());
        putText(json, "platform", profile.description().platform());
        putText(json, ProfilePatch.AGENT_VERSION, profile.description().version());
        json.put("personal", profile.description().personal());
        if (!profile.description().coordinators().isEmpty()) {
            profile.description().coordinators().forEach(json.putArray(ProfilePatch.COORDINATORS)::add);
        }
        putModel(json, profile);
        putExpectations(json, profile.basis().expectations());
        if (profile.basis().restartedAt().isAfter(Instant.EPOCH)) {
            json.put("measurement_restarted_at", Timestamps.text(profile.basis().restartedAt()));
        }
        return json;
    }

    /** Returns the row of a listing. It has what a caller needs to choose an agent in one request. */
    public static ObjectNode row(ListedAgent agent, Facts facts) {
        ObjectNode json = item(agent);
        if (!agent.pulse().config().expectsSigns()) {
            json.put("heartbeat_mode", Mode.NONE.wireName());
        }
        HealthSummary health = agent.health();
        json.put("health_status", facts.healthStatus().wireName());
        json.put("score", health.isInactive() ? null : BigDecimal.valueOf(health.hundredths(), HealthSummary.DECIMALS));
        json.put("verdict", facts.verdict().wireName());
        ArrayNode reasons = json.putArray("reasons");
        facts.reasons().forEach(reason -> reasons.add(reason.wireName()));
        facts.upstream().ifPresent(problem -> putUpstream(json, problem));
        facts.decidingShare().ifPresent(usage -> putShared(json, usage));
        return json.put("blocked", facts.isBlocked());
    }

    private static void putShared(ObjectNode json, SharedUsage usage) {
        json.putObject(SHARED_LIMIT)
                .put("holder", usage.holder().kind().wireName())
                .put("id", usage.holder().id())
                .put("limit", usage.state().limit().wireName())
                .put("until", Timestamps.text(usage.state().until()))
                .put("problem_id", usage.problemId());
    }

    private static void putUpstream(ObjectNode json, UpstreamProblem problem) {
        json.putObject(UPSTREAM)
                .put("provider", problem.provider())
                .put("since", Timestamps.text(problem.since()))
                .put("problem_id", problem.problemId());
    }

    /** Returns the fields that the record and the row of a listing share. */
    static ObjectNode item(ListedAgent agent) {
        ListedProfile profile = agent.profile();
        Pulse pulse = agent.pulse();
        ObjectNode json = Json.object();
        json.put("agent_id", pulse.agentId());
        json.put("kind", profile.kind().wireName());
        putText(json, "role_id", profile.roleId());
        putText(json, "name", profile.name());
        putText(json, "provider_id", profile.providerId());
        profile.capabilities().forEach(json.putArray("capabilities")::add);
        json.put("listed", profile.inCatalogue());
        ObjectNode capacity = json.putObject("capacity");
        DeclaredFields.putMaxTasks(capacity, pulse.workload().maxConcurrentTasks());
        capacity.put("current_load", Math.max(pulse.workload().load(), 0));
        if (pulse.workload().contextPercent() != Workload.NOT_REPORTED) {
            json.put(CONTEXT_USED, BigDecimal.valueOf(pulse.workload().contextPercent(), DECIMALS_OF_CONTEXT));
        }
        json.put("status", pulse.status().wireName());
        json.put("last_heartbeat_at", Timestamps.text(pulse.lastHeartbeatAt()));
        if (pulse.heartbeatCount() == 0) {
            json.put(HEARD, false);
        }
        json.put("last_seen_by", pulse.seenBy().wireName());
        pulse.config()
                .expectedAfter(pulse.lastHeartbeatAt())
                .filter(expected -> pulse.status().isMonitored())
                .ifPresent(expected -> json.put(EXPECTED_AT, Timestamps.text(expected)));
        putActivity(json, pulse);
        return json;
    }

    private static void putActivity(ObjectNode json, Pulse pulse) {
        if (pulse.activity().isRunning()) {
            ObjectNode activity = json.putObject("activity")
                    .put("phase", pulse.activity().phase().wireName())
                    .put("last_progress_at", Timestamps.text(pulse.activity().lastProgressAt()));
            putRepetition(activity, LoopRule.repetition(pulse));
        } else {
            json.putNull("activity");
        }
        json.put("stalled", StallRule.isStalled(pulse));
        putText(
                json,
                "stalled_since",
                StallRule.since(pulse).map(Timestamps::text).orElse(""));
        putText(
                json,
                "waiting_since",
                WaitingRule.since(pulse).map(Timestamps::text).orElse(""));
        json.put("looping", LoopRule.isLooping(pulse));
        putText(
                json,
                "looping_since",
                LoopRule.since(pulse).map(Timestamps::text).orElse(""));
        // A loop in spans has no activity if no task is known to run.
        Repetition loop = LoopRule.isLooping(pulse) ? LoopRule.repetition(pulse) : Repetition.NONE;
        json.put("looping_repeats", loop.repeats());
        putText(json, "looping_tool", loop.tool());
    }

    private static void putRepetition(ObjectNode activity, Repetition repetition) {
        if (repetition.isRepeated()) {
            activity.put("repeats", repetition.repeats());
            if (!repetition.tool().isEmpty()) {
                activity.put("tool", repetition.tool());
            }
        }
    }

    private static void putEnd(ObjectNode json, String field, LastEnd end) {
        if (end.isKnown()) {
            json.putObject(field)
                    .put("ended_by", end.by().wireName())
                    .put("reason", end.reason().wireName())
                    .put("at", Timestamps.text(end.at()));
        }
    }

    private static void putModel(ObjectNode json, AgentProfile profile) {
        ObjectNode model = json.putObject("model");
        putText(model, "name", profile.basis().model().name());
        putText(model, "version", profile.basis().model().version());
        putText(
                model,
                "changed_at",
                profile.basis().model().hasChangeDate()
                        ? Timestamps.text(profile.basis().model().changedAt())
                        : "");
        if (!profile.basis().model().served().isEmpty()) {
            ObjectNode shown = model.putObject("served");
            profile.basis().model().served().forEach((requested, served) -> shown.put(requested, served.present()));
        }
    }

    /** Puts a number. Whole numbers have no decimal point, as they were sent. */
    private static void putNumber(ObjectNode json, String field, double number) {
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            json.put(field, (long) number);
        } else {
            json.put(field, number);
        }
    }

    private static void putText(ObjectNode json, String field, String text) {
        json.put(field, text.isEmpty() ? null : text);
    }

    static void putExpectations(ObjectNode json, Expectations declared) {
        ObjectNode expectations = json.putObject("expectations");
        new TreeMap<>(declared.declared()).forEach((expectation, value) -> {
            if (!expectation.isOfLimits()) {
                putNumber(expectations, expectation.wireName(), value);
            }
        });
        LimitFields.put(expectations, declared.limits());
    }
}
