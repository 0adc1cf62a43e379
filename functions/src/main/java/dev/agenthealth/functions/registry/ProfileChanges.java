package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Changes of profiles: {@code PATCH /api/v1/agents/{agent_id}}. Thread-safe. */
final class ProfileChanges {

    /** What heartbeats and leases change in a record without another version. */
    private static final Set<String> CHANGE_BY_THEMSELVES =
            Set.of("last_heartbeat_at", "tasks_in_progress", "unleased_tasks");

    private final AgentStore agents;
    private final GroupNames groupNames;
    private final BlockedProviders blockedProviders;
    private final AgentAccess access;
    private final Authenticator authenticator;
    private final Clock clock;

    ProfileChanges(Stores stores, AgentAccess access, Authenticator authenticator, Clock clock, Log log) {
        this.authenticator = authenticator;
        this.agents = stores.agents();
        this.groupNames = new GroupNames(stores.groups(), log);
        this.blockedProviders = new BlockedProviders(stores.blocks());
        this.access = access;
        this.clock = clock;
    }

    /**
     * Applies the change in the body: absent fields stay, null clears. A body that changes nothing, such as a record as it was read, keeps
     * the version.
     *
     * @throws Problem 400 for an invalid body, 403 where the caller may not make the change or the provider is not granted, 409 where the agent is dead or deregistered,
     *     412 and 428 about {@code If-Match}
     */
    StoredAgent patch(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        Caller caller = request.caller();
        StoredAgent first = access.find(caller, agentId);
        request.requireIfMatch();
        return Attempts.untilPresent(first, () -> access.find(caller, agentId), agent -> {
            request.checkPreconditions("agent", agent.pulse().version());
            if (agent.pulse().status().isGone()) {
                throw Problem.conflict(
                        "agent_gone",
                        "Agent '" + agentId + "' is " + agent.pulse().status().wireName()
                                + "; it states its profile when it registers again.");
            }
            Fields body = request.fields();
            AgentProfile declared = ProfileFields.changed(body, agent.profile(), clock.instant());
            body.refuseChanges(AgentRecordJson.full(agent, List.of()), CHANGE_BY_THEMSELVES);
            // The deployment's, and no part of the profile.
            body.any(AgentRecordJson.HEARTBEAT_URL);
            body.refuseUnknown();
            body.check();
            AgentProfile profile = declared.providerId().equals(agent.profile().providerId())
                    ? declared
                    : GrantedProviders.apply(
                            declared, authenticator.providers(agent.pulse().owner()));
            if (profile.equals(agent.profile())) {
                return Optional.of(agent);
            }
            blockedProviders.checkMayLeave(caller, agent.profile(), profile);
            Pulse after = agent.pulse().reconfigured(profile.heartbeatConfig(), profile.maxConcurrentTasks());
            if (!profile.providerId().equals(agent.profile().providerId())
                    || !profile.platform().equals(agent.profile().platform())) {
                groupNames.note(profile, GroupStore.Role.NONE);
            }
            if (!agents.changeProfile(agent, after, profile)) {
                return Optional.empty();
            }
            return Optional.of(agent.with(after, profile));
        });
    }
}
