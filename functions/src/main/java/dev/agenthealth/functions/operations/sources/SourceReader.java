package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.operations.source.ImportedId;
import dev.agenthealth.model.operations.source.SourceKind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a source once. Not thread-safe. */
final class SourceReader {

    static final int MAX_ENTRIES = 20_000;

    /** The part before an agent's id, in an identifier from another registry of this product. */
    private static final Pattern OF_REGISTRY = Pattern.compile(":(agent|mcp):");

    /** The maximum depth of nested catalogues, as AI Catalog recommends. */
    static final int MAX_DEPTH = 4;

    /** The maximum length of a stored identifier. It is longer than in every specification. */
    private static final int MAX_IDENTIFIER = 512;

    private static final int MAX_DOCUMENTS = 300;

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** The time between two complete reads of a registry of MCP servers. Otherwise only changes are read. */
    private static final Duration WHOLE = Duration.ofDays(1);

    /** The overlap of two reads, as the clocks of both sides may differ. */
    private static final Duration OVERLAP = Duration.ofMinutes(10);

    private static final String WELL_KNOWN = "/.well-known/";

    private final DocumentClient documents;
    private final Clock clock;
    private final Source source;
    private final Instant until;
    private final EntryReads reads;
    private final Map<String, Listing> listings = new LinkedHashMap<>();
    private final Map<String, String> moments = new LinkedHashMap<>();
    private final Set<String> removed = new HashSet<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Set<String> failures = new LinkedHashSet<>();
    private final Set<String> visited = new HashSet<>();
    private final List<SyncState.Skipped> skipped = new ArrayList<>();
    private boolean whole = true;
    private int listed;

    /**
     * @param until the time at which reading ends without a result
     * @param reads reads nested catalogues
     */
    SourceReader(DocumentClient documents, Clock clock, Source source, Instant until, EntryReads reads) {
        this.documents = documents;
        this.clock = clock;
        this.source = source;
        this.until = until;
        this.reads = reads;
    }

    /**
     * The entries of a source.
     *
     * @param removed the ids of the agents of entries that the source declares as removed
     * @param whole whether the list is complete
     * @param skipped the entries that declare no agent
     * @param notes entries that were left out, in words for operators
     * @param failures entries that could not be read, in words for operators
     */
    record Contents(
            List<Listing> listings,
            Set<String> removed,
            boolean whole,
            List<SyncState.Skipped> skipped,
            List<String> notes,
            List<String> failures) {}

    /**
     * Returns the entries of the source.
     *
     * @param document a document to read instead of the address; it is not a complete list
     * @throws UnreadableSourceException if the source cannot be read; then no entry of it is used
     */
    Contents read(Optional<JsonNode> document) {
        List<String> urls =
                source.kind().map(kind -> kind.addresses(source.url())).orElse(List.of(source.url()));
        String url = urls.get(0);
        if (document.isPresent()) {
            top(url, document.get());
            whole = false;
        } else if (source.kind().equals(Optional.of(SourceKind.MCP_REGISTRY))) {
            servers(url);
        } else {
            readFirst(urls);
        }
        return new Contents(
                List.copyOf(listings.values()),
                removed,
                whole,
                List.copyOf(skipped),
                List.copyOf(notes),
                List.copyOf(failures));
    }

    /** Reads the first address that has a document. An address that fails otherwise ends the search, because its entries are unknown. */
    private void readFirst(List<String> urls) {
        for (String url : urls.subList(0, urls.size() - 1)) {
            visit(url, clock.instant().isAfter(until));
            Optional<JsonNode> document = documents.find(url, DocumentClient.MAX_CATALOGUE_BYTES, timeout());
            if (document.isPresent()) {
                top(url, document.get());
                return;
            }
        }
        String last = urls.get(urls.size() - 1);
        top(last, document(last));
    }

    private JsonNode document(String url) {
        visit(url, clock.instant().isAfter(until));
        return documents.get(url, DocumentClient.MAX_CATALOGUE_BYTES, timeout());
    }

    private Duration timeout() {
        Duration left = Duration.between(clock.instant(), until);
        return left.compareTo(TIMEOUT) < 0 ? left : TIMEOUT;
    }

    private void visit(String url, boolean isOver) {
        if (isOver) {
            throw new UnreadableSourceException(url + ": not read, because the time for one sync was over");
        }
        if (!visited.add(url)) {
            throw new UnreadableSourceException(url + ": the pages of the list do not end");
        }
        if (visited.size() > MAX_DOCUMENTS) {
            throw new UnreadableSourceException(url + ": not read, because " + MAX_DOCUMENTS + " documents were read");
        }
    }

    /** Reads a document of any kind. */
    private void top(String url, JsonNode document) {
        if (document.path("entries").isArray()) {
            catalogue(document, 1);
        } else if (document.path("servers").isArray()) {
            if (url.isEmpty()) {
                document.path("servers").forEach(this::server);
            } else {
                servers(url);
            }
        } else if (KubernetesResource.isIn(document)) {
            JsonNode items = document.path("items");
            (items.isArray() ? items : Json.object().arrayNode().add(document)).forEach(this::resource);
        } else if (document.isArray()) {
            for (int i = 0; i < document.size(); i++) {
                cardOfList(document.get(i), i + 1);
            }
        } else if (document.has("name")) {
            card(document, url);
        } else {
            throw new UnreadableSourceException(
                    (url.isEmpty() ? "the document" : url)
                            + ": no agent card, no list of cards, no catalogue, no list of MCP servers and no resources of Kubernetes");
        }
    }

    /** Reads a single agent card. Its endpoint names the entry. */
    private void card(JsonNode card, String url) {
        try {
            add(ofCard(card, url), "");
        } catch (UnreadableSourceException e) {
            throw new UnreadableSourceException((url.isEmpty() ? "the document" : url) + ": " + e.getMessage());
        }
    }

    /** Adds a card of a list. A card that cannot be read leaves the other cards as they are. */
    private void cardOfList(JsonNode card, int number) {
        try {
            add(ofCard(card, ""), "");
        } catch (TooManyEntriesException e) {
            throw e;
        } catch (UnreadableSourceException e) {
            fail("card " + number + " of the list: " + e.getMessage());
        }
    }

    private static Listing ofCard(JsonNode card, String url) {
        return new Listing(Declaration.ofCard(card, url).identifier(), false, Optional.of(card), url, "", "");
    }

    private void resource(JsonNode resource) {
        try {
            Optional<Listing> listing = KubernetesResource.listing(resource);
            if (listing.isEmpty()) {
                skip(KubernetesResource.unique(resource), KubernetesResource.skipReason(resource));
            } else if (listings.containsKey(listing.get().identifier())) {
                throw new UnreadableSourceException(
                        "two resources have the id " + listing.get().identifier());
            } else {
                add(listing.get(), "");
            }
        } catch (TooManyEntriesException e) {
            throw e;
        } catch (UnreadableSourceException e) {
            fail(e.getMessage());
        }
    }

    private void catalogue(JsonNode catalogue, int depth) {
        for (JsonNode entry : catalogue.path("entries")) {
            String type = entry.path("type").asText(entry.path("mediaType").asText(""));
            if (type.startsWith("application/ai-catalog+json")) {
                nested(entry, depth + 1);
            } else {
                entry(entry, type);
            }
        }
    }

    /** Reads a nested catalogue. If it cannot be read, the other catalogues count, and its own entries do not count as missing. */
    private void nested(JsonNode entry, int depth) {
        String url = entry.path("url").asText("");
        String name = url.isEmpty() ? entry.path("identifier").asText("") : url;
        if (!entry.has("data") && visited.contains(url)) {
            notes.add(url + ": nested in itself or listed twice; it is read once");
            return;
        }
        try {
            if (depth > MAX_DEPTH) {
                throw new UnreadableSourceException(name + ": nested deeper than " + MAX_DEPTH);
            }
            JsonNode catalogue = entry.path("data");
            if (!entry.has("data")) {
                visit(url, reads.isOver());
                catalogue = reads.get(url, DocumentClient.MAX_CATALOGUE_BYTES);
            }
            if (!catalogue.path("entries").isArray()) {
                throw new UnreadableSourceException(name + ": no catalogue");
            }
            catalogue(catalogue, depth);
        } catch (TooManyEntriesException e) {
            throw e;
        } catch (UnreadableSourceException e) {
            fail(e.getMessage());
        }
    }

    private void entry(JsonNode entry, String type) {
        boolean server = type.startsWith("application/mcp-server");
        boolean agent = type.startsWith("application/a2a-agent-card");
        String identifier = entry.path("identifier").asText("");
        boolean ofRegistry = source.kind().equals(Optional.of(SourceKind.AGENT_HEALTH));
        if (identifier.isBlank()) {
            skip("", "has no identifier");
            return;
        }
        if (!server && !agent) {
            skip(
                    identifier,
                    type.isEmpty()
                            ? "has no type"
                            : "has the type '" + type + "', which is no agent card and no MCP server");
            return;
        }
        if (ofRegistry && !OF_REGISTRY.matcher(identifier).find()) {
            skip(identifier, "names no agent of that registry");
            return;
        }
        String url = entry.path("url").asText("");
        String updated = entry.path("updatedAt").asText("");
        String dated =
                updated.isEmpty() ? "" : updated + " " + entry.path("version").asText("");
        String healthUrl = ofRegistry ? healthAddress(source.url(), identifier) : "";
        add(
                entry.has("data")
                        ? Listing.embedded(identifier, server, entry.path("data"))
                        : new Listing(identifier, server, Optional.empty(), url, dated, healthUrl),
                updated);
    }

    /** Returns the address of the health of an agent or server in another registry of this product. */
    static String healthAddress(String registry, String identifier) {
        String catalogue = SourceKind.AGENT_HEALTH.addresses(registry).get(0);
        int path = catalogue.indexOf(WELL_KNOWN);
        int host = catalogue.indexOf('/', catalogue.indexOf("://") + "://".length());
        String base = catalogue.substring(0, path < 0 ? host : path);
        Matcher kind = OF_REGISTRY.matcher(identifier);
        String agentId = kind.find() ? identifier.substring(kind.end()) : identifier;
        return base + "/agents/" + agentId + "/.well-known/agent-health";
    }

    /** Adds an entry. Of several versions of an entry, the one with the latest update counts. */
    private void add(Listing listing, String updated) {
        if (listing.identifier().length() > MAX_IDENTIFIER) {
            notes.add(listing.identifier().substring(0, MAX_IDENTIFIER) + ": an identifier that is too long");
            skip(listing.identifier(), "has an identifier of more than " + MAX_IDENTIFIER + " characters");
            return;
        }
        count();
        String before = moments.get(listing.identifier());
        if (before == null || before.compareTo(updated) <= 0) {
            moments.put(listing.identifier(), updated);
            listings.put(listing.identifier(), listing);
        }
    }

    /** Records an entry that could not be read. It does not count as missing. */
    private void fail(String reason) {
        failures.add(reason);
        whole = false;
    }

    private void skip(String identifier, String reason) {
        count();
        skipped.add(new SyncState.Skipped(identifier, reason));
    }

    private void count() {
        if (++listed > MAX_ENTRIES) {
            throw new TooManyEntriesException();
        }
    }

    /** Reads the pages of a registry of MCP servers. */
    private void servers(String url) {
        Instant wholeAt = source.state().wholeAt();
        boolean partly = source.state().complete() && !ClockRule.hasPassed(wholeAt, WHOLE, clock.instant());
        whole = !partly;
        String first = url + (url.contains("?") ? "&" : "?") + "version=latest&limit=100"
                + (partly
                        ? "&updated_since="
                                + encoded(source.state().at().minus(OVERLAP).toString())
                        : "");
        String cursor = "";
        do {
            JsonNode page = document(cursor.isEmpty() ? first : first + "&cursor=" + encoded(cursor));
            if (!page.path("servers").isArray()) {
                throw new UnreadableSourceException(url + ": no list of MCP servers");
            }
            page.path("servers").forEach(this::server);
            cursor = page.at("/metadata/nextCursor").asText("");
        } while (!cursor.isEmpty());
    }

    private void server(JsonNode answer) {
        JsonNode server = answer.path("server");
        String name = server.path("name").asText("");
        JsonNode official = answer.path("_meta").path("io.modelcontextprotocol.registry/official");
        if (name.isBlank()) {
            skip("", "has no name");
        } else if (official.path("status").asText("").equals("deleted")) {
            removed.add(ImportedId.of(name));
            count();
        } else {
            add(Listing.embedded(name, true, server), official.path("updatedAt").asText(""));
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Thrown to refuse the whole source, even from a deeply nested entry. */
    private static final class TooManyEntriesException extends UnreadableSourceException {

        private static final long serialVersionUID = 1L;

        TooManyEntriesException() {
            super("lists more than " + MAX_ENTRIES + " entries, of which none is imported");
        }
    }
}
