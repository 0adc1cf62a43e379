package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.transfer.Entry;
import dev.agenthealth.functions.operations.transfer.Section;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.model.operations.source.SourceKind;
import java.util.List;
import java.util.Optional;

/**
 * The sources of agents in the document of a registry's configuration. The query of an address may be secret, and is hidden in the document.
 * Thread-safe.
 */
final class SourceSection implements Section {

    /** The text that replaces the query of an address. No URL contains it. */
    private static final String HIDDEN = "?…";

    private final SourceRoutes routes;
    private final SourceStore sources;

    SourceSection(SourceRoutes routes, SourceStore sources) {
        this.routes = routes;
        this.sources = sources;
    }

    @Override
    public String name() {
        return "sources";
    }

    @Override
    public ListPage<Exported> export(String position, int limit) {
        return ListPage.ofRead(sources.page(position, limit), limit, Source::name)
                .map(source -> new Exported(source.name(), declared(source)));
    }

    private static ObjectNode declared(Source source) {
        return SourceJson.of(source)
                .<ObjectNode>without(List.of("created_at", "last_sync"))
                .put("url", hidden(source.url()));
    }

    private static String hidden(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query) + HIDDEN;
    }

    @Override
    public Entry read(Fields fields) {
        fields.require("name");
        fields.require("url");
        fields.require(SourceRoutes.KEY_ID);
        String name = fields.id("name");
        String url = fields.text("url", SourceRoutes.MAX_URL);
        ObjectNode wanted = Json.object()
                .put("url", url)
                .put(SourceRoutes.KEY_ID, fields.id(SourceRoutes.KEY_ID))
                .put(
                        "kind",
                        fields.oneOf("kind", SourceKind.class)
                                .map(SourceKind::wireName)
                                .orElse(null))
                .put("require_signature", fields.flag("require_signature", false));
        fields.refuseUnknown();
        Optional<Source> before = name.isEmpty() ? Optional.empty() : sources.find(name);
        if (url.endsWith(HIDDEN)) {
            Optional<String> known =
                    before.map(Source::url).filter(whole -> hidden(whole).equals(url));
            if (known.isEmpty()) {
                return Entry.skipped(
                        name,
                        "The query of the address is not in the document: write the source with its whole address.");
            }
            wanted.put("url", known.get());
        }
        ObjectNode declared = Json.object().put("name", name);
        declared.setAll(wanted);
        declared.put("url", hidden(url));
        return Entry.of(
                name,
                declared,
                () -> before.map(SourceSection::declared),
                author -> routes.replace(author, name, wanted));
    }
}
