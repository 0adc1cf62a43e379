package dev.agenthealth.functions.operations.transfer;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.model.Timestamps;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/**
 * Exports the configuration of a registry as a document, and imports such a document. A large document has several pages, and each page is a
 * document. Thread-safe.
 */
public final class TransferRoutes {

    private final List<Section> sections;
    private final Clock clock;
    private final Log log;

    /** @param sections the sections in the order in which objects refer to each other: first the sections to which others refer */
    public TransferRoutes(List<Section> sections, Clock clock, Log log) {
        this.sections = List.copyOf(sections);
        this.clock = clock;
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("GET /v1/admin/export", ADMINISTRATOR, this::export, QUERY)
                .on("POST /v1/admin/import", ADMINISTRATOR, this::importDocument, QUERY);
    }

    /** {@code GET …/export}: returns a page of the document, with objects of one section or of several sections. */
    private ApiResponse export(ApiRequest request) {
        Paging paging = Paging.of(request);
        ObjectNode page = TransferDocument.head(Timestamps.text(clock.instant()));
        PageToken.putNext(page, request, new ExportPage(page, paging.limit()).fill(sections, paging.after()));
        return ApiResponse.json(200, page);
    }

    /** {@code POST …/import}: imports a document. The audit log gets an entry of each changed object. With {@code dry_run=true}, says what the import would do. */
    private ApiResponse importDocument(ApiRequest request) {
        Fields query = request.queryFields();
        boolean dryRun =
                query.oneOf("dry_run", "true", "false").filter("true"::equals).isPresent();
        Fields body = Fields.ofBody(request.body(TransferDocument.MAX_BYTES));
        query.checkWith(body);
        TransferDocument document = TransferDocument.of(body, sections);
        TransferReport report = new TransferReport(dryRun);
        document.entries()
                .forEach((section, entries) -> entries.forEach(entry -> report.add(
                        section, entry, dryRun ? Outcome.expected(entry) : Outcome.of(entry, request.author()))));
        log.info(
                "registry_imported",
                Map.of(
                        "by", request.caller().keyId(),
                        "dry_run", dryRun,
                        "counts", Json.text(report.counts())));
        return ApiResponse.json(200, report.json());
    }
}
