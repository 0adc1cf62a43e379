package dev.agenthealth.functions.health.trust;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.model.health.trust.Stops;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds agents in every status, one by one or as lists. Thread-safe. */
final class AgentSubjects implements Subjects {

    /** The maximum size of a page. With the longest block reasons, twice as many agents would not fit into a response. */
    static final int MAX_PAGE = 500;

    /** The maximum size of a page of blocked agents, which are read one by one. */
    static final int MAX_BLOCKED_PAGE = 100;

    private final AgentStore agents;
    private final AgentAccess access;
    private final DiscoveryStore discovery;
    private final BlockStore blocks;
    private final StopStore stops;

    AgentSubjects(Database database) {
        this.agents = new AgentStore(database);
        this.access = new AgentAccess(agents);
        this.discovery = new DiscoveryStore(database);
        this.blocks = new BlockStore(database);
        this.stops = new StopStore(database);
    }

    @Override
    public RatedSubject find(Caller caller, String id) {
        return RatedSubject.of(access.find(caller, id));
    }

    @Override
    public RatedSubject findEvenBlocked(Caller caller, String id) {
        Optional<RatedSubject> known = access.findIfKnown(caller, id).map(this::rated);
        OfAgent agent = new OfAgent(id);
        if (known.isEmpty()
                && caller.maySeeRole("")
                && blocks.of(List.of(agent)).get(agent).revision() > 0) {
            return RatedSubject.unknown(agent);
        }
        return known.orElseThrow(() -> AgentError.unknownAgent(id));
    }

    @Override
    public RatedSubject findEvenUnknown(Caller administrator, String id) {
        return access.findIfKnown(administrator, id)
                .map(this::rated)
                .orElseGet(() -> RatedSubject.unknown(new OfAgent(id)));
    }

    @Override
    public ListPage<RatedSubject> page(ApiRequest request, boolean forHealth) {
        Fields fields = request.queryFields();
        Paging paging = Paging.of(request, fields).atMost(MAX_PAGE);
        boolean blocked = Subjects.onlyBlocked(fields);
        Set<LifecycleStatus> statuses = fields.anyOf("status", LifecycleStatus.class);
        fields.check();
        return blocked
                ? blockedPage(request.caller(), paging.atMost(MAX_BLOCKED_PAGE), statuses)
                : page(request, paging.limit(), Cursor.ofText(paging.after()), statuses, forHealth);
    }

    /** Returns a page of blocked agents in every status, including agents that never registered. */
    private ListPage<RatedSubject> blockedPage(Caller caller, Paging paging, Set<LifecycleStatus> statuses) {
        ListPage<BlockedAgent> found = paging.find(
                (after, limit) -> {
                    List<String> ids = blocks.blockedAgents(after, limit);
                    return ListPage.ofRead(
                            ids.stream()
                                    .map(id -> new BlockedAgent(id, visible(caller, id)))
                                    .toList(),
                            limit,
                            BlockedAgent::agentId);
                },
                BlockedAgent::agentId,
                agent -> agent.shown()
                        .filter(one -> statuses.isEmpty() || one.hasStatusIn(statuses))
                        .isPresent(),
                2 * MAX_BLOCKED_PAGE);
        return found.with(
                found.items().stream().flatMap(agent -> agent.shown().stream()).toList());
    }

    /**
     * A blocked agent.
     *
     * @param shown empty if the caller may not see the agent
     */
    private record BlockedAgent(String agentId, Optional<RatedSubject> shown) {}

    private Optional<RatedSubject> visible(Caller caller, String id) {
        Optional<StoredAgent> found = agents.find(id);
        String roleId = found.map(agent -> agent.profile().roleId()).orElse("");
        return caller.maySeeRole(roleId)
                ? Optional.of(found.map(this::rated).orElseGet(() -> RatedSubject.unknown(new OfAgent(id))))
                : Optional.empty();
    }

    private ListPage<RatedSubject> page(
            ApiRequest request, int limit, Cursor cursor, Set<LifecycleStatus> statuses, boolean forHealth) {
        ListPage<ListedAgent> page = discovery.page(
                DiscoveryQuery.ofStatuses(statuses.isEmpty() ? EnumSet.allOf(LifecycleStatus.class) : statuses)
                        .within(request.caller()),
                limit,
                cursor);
        return page.with(known(page.items().stream().map(ListedAgent::pulse).toList(), forHealth));
    }

    private RatedSubject rated(StoredAgent agent) {
        return RatedSubject.of(agent).stoppedBy(stops.stops().of(agent.pulse()));
    }

    /**
     * Returns the agents of these rows. A trust record needs the profile only for the time of registration. Unchanged agents have it on the
     * row.
     */
    private List<RatedSubject> known(List<Pulse> pulses, boolean forHealth) {
        Predicate<Pulse> byRow = pulse -> !forHealth && pulse.isAsFirstRegistered();
        Map<String, AgentProfile> profiles =
                agents.profiles(pulses.stream().filter(byRow.negate()).map(Pulse::agentId));
        Stops inForce = forHealth ? Stops.NONE : stops.stops();
        return pulses.stream()
                .filter(pulse -> byRow.test(pulse) || profiles.containsKey(pulse.agentId()))
                .map(pulse -> (byRow.test(pulse)
                                ? RatedSubject.ofRow(pulse)
                                : RatedSubject.of(pulse, profiles.get(pulse.agentId())))
                        .stoppedBy(inForce.of(pulse)))
                .map(RatedSubject::inList)
                .toList();
    }
}
