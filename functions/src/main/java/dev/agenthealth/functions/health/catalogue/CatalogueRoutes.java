package dev.agenthealth.functions.health.catalogue;

import static dev.agenthealth.functions.api.access.Access.OPTIONAL_KEY;
import static dev.agenthealth.functions.api.routes.Route.Option.ALSO_HEAD;
import static dev.agenthealth.functions.api.routes.Route.Option.ANY_ORIGIN;
import static dev.agenthealth.functions.api.routes.Route.Option.READ_ONLY;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.AnswerItems;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Freshness;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.health.catalogue.CatalogueUrn;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The catalogue: its manifest, search and look-up (ARD 0.91 §5). Every valid key may read it. Without a key, callers may read it if the
 * runtime configuration makes it public.
 */
public final class CatalogueRoutes {

    private static final String MANIFEST = "GET /.well-known/ard.json";
    private static final String AI_CATALOG = "GET /.well-known/ai-catalog.json";
    private static final String AI_CATALOG_TYPE = "application/ai-catalog+json";
    private static final String SEARCH = "POST /search";
    private static final String ENTRY = "GET /agents/{identifier}";

    /** The routes that answer refusals in the format of ARD. */
    public static final Set<String> KEYS =
            Set.of(MANIFEST, "HEAD /.well-known/ard.json", SEARCH, ENTRY, "HEAD /agents/{identifier}");

    private final LiveAgents agents;
    private final CatalogueSearch search;
    private final CachedConfiguration configuration;

    public CatalogueRoutes(Database database, Clock clock) {
        this.agents = new LiveAgents(database, clock, LiveAgents.MAX_PAGE_SIZE);
        this.search = new CatalogueSearch(agents);
        this.configuration = new CachedConfiguration(database);
    }

    public void addTo(Routes routes) {
        routes.on(MANIFEST, OPTIONAL_KEY, this::manifest, SAMPLED, ANY_ORIGIN, ALSO_HEAD)
                .on(AI_CATALOG, OPTIONAL_KEY, this::aiCatalog, SAMPLED, ANY_ORIGIN, ALSO_HEAD)
                .on(SEARCH, OPTIONAL_KEY, this::search, SAMPLED, READ_ONLY)
                .on(ENTRY, OPTIONAL_KEY, this::entry, SAMPLED, ANY_ORIGIN, ALSO_HEAD);
    }

    /** Returns the catalogue with the healthiest agents first, as many as fit into an answer. A search finds the rest (§5.1). */
    private ApiResponse manifest(ApiRequest request) {
        admit(request);
        CatalogueEntries entries = new CatalogueEntries(request);
        ObjectNode json = Json.object().put("specVersion", "1.0");
        json.putObject("host").put("displayName", CatalogueEntries.NAME).put("identifier", entries.publisher());
        AnswerItems items = new AnswerItems(json, "entries");
        items.addAll(Stream.concat(
                        entries.ofRegistry().stream(), agents.all().stream().map(entries::of))
                .map(CatalogueEntry::json));
        return answer(request, json);
    }

    /** Returns the manifest for clients of AI Catalog. The format of ARD is based on its format. */
    private ApiResponse aiCatalog(ApiRequest request) {
        return manifest(request).as(AI_CATALOG_TYPE);
    }

    private ApiResponse search(ApiRequest request) {
        admit(request);
        return search.answer(request);
    }

    /** Returns one whole entry (§5.3.4). */
    private ApiResponse entry(ApiRequest request) {
        admit(request);
        CatalogueEntries entries = new CatalogueEntries(request);
        String identifier = request.pathText("identifier");
        CatalogueUrn urn = CatalogueUrn.of(identifier)
                .orElseThrow(() -> ApiError.invalid(List.of(new FieldError("identifier", CatalogueUrn.RULE))));
        Stream<CatalogueEntry> found = Stream.concat(
                entries.ofRegistry().stream(),
                CatalogueEntries.KINDS.contains(urn.kind())
                        ? agents.find(urn.name()).map(entries::complete).stream()
                        : Stream.empty());
        ObjectNode json = found.map(CatalogueEntry::json)
                .filter(shown ->
                        shown.path(CatalogueEntries.IDENTIFIER).textValue().equals(identifier))
                .findFirst()
                .orElseThrow(() ->
                        ApiError.notFound("entry_not_found", "The catalogue has no entry '" + identifier + "' now."));
        return answer(request, json);
    }

    private void admit(ApiRequest request) {
        if (request.knownCaller().isEmpty()
                && !configuration.current().configuration().get(RuntimeSettings.PUBLIC_CATALOGUE)) {
            throw AccessError.unauthenticated();
        }
    }

    private static ApiResponse answer(ApiRequest request, ObjectNode json) {
        Freshness freshness = request.knownCaller().isPresent() ? Freshness.PRIVATE : Freshness.BRIEF;
        return ApiResponse.cacheable(request, json, EntityTag.of(Json.text(json)), freshness);
    }

    /** Returns a refusal in the format of ARD (appendix B). */
    public static ApiResponse refused(ApiError problem) {
        String message = problem.errors().size() < 2
                ? problem.detail()
                : problem.errors().stream()
                        .map(error -> "'" + error.field() + "' " + error.message() + ".")
                        .collect(Collectors.joining(" "));
        ApiResponse response = ApiResponse.json(
                problem.status(),
                Json.object().put("errorCode", code(problem.status())).put("message", message));
        for (var header : problem.headers().entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response;
    }

    private static String code(int status) {
        return switch (status) {
            case 400, 413 -> "INVALID_ARGUMENT";
            case 401 -> "UNAUTHENTICATED";
            case 403 -> "PERMISSION_DENIED";
            case 404 -> "NOT_FOUND";
            case 429 -> "RATE_LIMIT_EXCEEDED";
            case 503 -> "UNAVAILABLE";
            default -> "INTERNAL_ERROR";
        };
    }
}
