package dev.agenthealth.functions.trust;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.PageToken;
import dev.agenthealth.functions.storage.agents.DiscoveryQuery;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Agents: single agents in every status, and lists of monitored agents. Thread-safe. */
final class AgentSubjects implements Subjects {

    /** Maximum size of a page, whatever its limit: with the longest block reasons, twice as many would not fit into a response. */
    static final int MAX_PAGE = 500;

    private final AgentAccess access;
    private final DiscoveryStore discovery;

    AgentSubjects(AgentAccess access, DiscoveryStore discovery) {
        this.access = access;
        this.discovery = discovery;
    }

    @Override
    public KnownSubject find(Caller caller, String id) {
        return KnownSubject.of(access.find(caller, id));
    }

    @Override
    public Page page(ApiRequest request) {
        Fields fields = request.queryFields();
        int limit = Math.min(PageToken.limit(fields), MAX_PAGE);
        Cursor cursor = Cursor.ofText(PageToken.position(request, fields));
        fields.check();
        DiscoveryStore.Page page = discovery.page(
                new DiscoveryQuery(
                        Set.copyOf(LifecycleStatus.MONITORED),
                        List.of(),
                        request.caller().roleIds(),
                        Optional.empty(),
                        DiscoveryQuery.ANY_CAPACITY),
                limit,
                cursor);
        return new Page(
                page.agents().stream().map(KnownSubject::of).toList(),
                page.next()
                        .map(Cursor::text)
                        .map(place -> PageToken.of(request, place))
                        .orElse(""));
    }
}
