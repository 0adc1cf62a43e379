package dev.agenthealth.functions.health.catalogue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.health.catalogue.Relevance;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Searches the catalogue (ARD 0.91 §5.3.2). The most relevant entries come first; among equally relevant entries, the healthiest. The
 * search asks no other registry. Thread-safe.
 */
final class CatalogueSearch {

    private static final String PAGE_TOKEN = "pageToken";
    private static final String REFERRALS = "referrals";
    private static final int DEFAULT_SIZE = 10;
    private static final int MAX_SIZE = 100;
    private static final int MAX_TEXT = 2_000;

    private final LiveAgents agents;

    CatalogueSearch(LiveAgents agents) {
        this.agents = agents;
    }

    private record Result(CatalogueEntry entry, int score) {}

    /**
     * Returns the response to a search.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every bad field
     */
    ApiResponse answer(ApiRequest request) {
        Fields body = request.fields().withEmptyTexts();
        body.require("query");
        Fields query = body.object("query");
        String text = text(query);
        CatalogueFilter filter = CatalogueFilter.of(query);
        query.refuseUnknown();
        boolean referrals = body.oneOf("federation", "auto", REFERRALS, "none")
                .filter(REFERRALS::equals)
                .isPresent();
        int size = body.integer("pageSize", 1, MAX_SIZE).orElse(DEFAULT_SIZE);
        String question = Json.text(body.any("query"));
        String position = PageToken.positionInBody(request, question, body, PAGE_TOKEN);
        int offset = position.isEmpty() ? 0 : Integer.parseInt(position);
        body.refuseUnknown();
        body.check();

        CatalogueEntries entries = new CatalogueEntries(request);
        List<Result> results = results(entries, Relevance.to(text), filter);
        ObjectNode json = Json.object();
        ArrayNode shown = json.putArray("results");
        results.stream().skip(offset).limit(size).forEach(result -> shown.add(shown(result, entries)));
        if (referrals) {
            json.putArray(REFERRALS);
        }
        if (offset + size < results.size()) {
            json.put(PAGE_TOKEN, PageToken.ofBody(request, question, String.valueOf(offset + size)));
        }
        return ApiResponse.json(200, json);
    }

    private static String text(Fields query) {
        String text = query.text("text");
        if (text.isBlank()) {
            query.refuse("text", "is required");
        }
        if (text.length() > MAX_TEXT) {
            query.refuse("text", "may have at most " + MAX_TEXT + " characters");
        }
        return text;
    }

    private List<Result> results(CatalogueEntries entries, Relevance relevance, CatalogueFilter filter) {
        return Stream.concat(
                        entries.ofRegistry().stream(), agents.all().stream().map(entries::of))
                .map(entry -> new Result(entry, relevance.of(entry.texts())))
                .filter(result -> result.score() > 0 && filter.matches(result.entry()))
                // The sort is stable, so that the healthiest of equally relevant entries stay first.
                .sorted(Comparator.comparingInt(Result::score).reversed())
                .toList();
    }

    private static ObjectNode shown(Result result, CatalogueEntries entries) {
        ObjectNode json = result.entry().json();
        json.remove(CatalogueEntries.QUERIES);
        return json.put("score", result.score()).put("source", entries.source());
    }
}
