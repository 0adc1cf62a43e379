package dev.agenthealth.functions.health.trust;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.GroupStore.Group;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.model.identity.Caller;
import java.util.List;
import java.util.Optional;

/** Finds providers that an agent ever named. A provider's track record covers its agents in every role. Thread-safe. */
final class ProviderSubjects implements Subjects {

    /** The maximum size of a page. The track record of each provider is read from many partitions. */
    static final int MAX_PAGE = 100;

    private final GroupStore groups;
    private final BlockStore blocks;

    ProviderSubjects(GroupStore groups, BlockStore blocks) {
        this.groups = groups;
        this.blocks = blocks;
    }

    @Override
    public RatedSubject find(Caller caller, String id) {
        return groups.find(GroupKind.PROVIDER, id).map(RatedSubject::of).orElseThrow(() -> unknown(id));
    }

    @Override
    public RatedSubject findEvenBlocked(Caller caller, String id) {
        Optional<RatedSubject> known = groups.find(GroupKind.PROVIDER, id).map(RatedSubject::of);
        OfProvider provider = new OfProvider(id);
        if (known.isEmpty() && blocks.of(List.of(provider)).get(provider).revision() > 0) {
            return RatedSubject.unknown(provider);
        }
        return known.orElseThrow(() -> unknown(id));
    }

    private static ApiError unknown(String id) {
        return ApiError.notFound("provider_not_found", "No agent named the provider '" + id + "'.");
    }

    @Override
    public RatedSubject findEvenUnknown(Caller administrator, String id) {
        return groups.find(GroupKind.PROVIDER, id)
                .map(RatedSubject::of)
                .orElseGet(() -> RatedSubject.unknown(new OfProvider(id)));
    }

    @Override
    public ListPage<RatedSubject> page(ApiRequest request, boolean forHealth) {
        Fields fields = request.queryFields();
        Paging paging = Paging.of(request, fields).atMost(MAX_PAGE);
        boolean blocked = Subjects.onlyBlocked(fields);
        fields.check();
        if (blocked) {
            ListPage<String> ids = paging.of(blocks.blockedProviders(paging.after(), paging.toRead()), id -> id);
            return ids.with(ids.items().stream()
                    .map(id -> findEvenUnknown(request.caller(), id))
                    .toList());
        }
        ListPage<Group> found =
                paging.of(groups.page(GroupKind.PROVIDER, paging.after(), paging.toRead()), Group::name);
        return found.with(found.items().stream().map(RatedSubject::of).toList());
    }
}
