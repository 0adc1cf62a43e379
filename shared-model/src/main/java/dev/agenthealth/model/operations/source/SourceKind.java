package dev.agenthealth.model.operations.source;

import dev.agenthealth.model.WireNamed;
import java.net.URI;
import java.util.List;

/** The kind of a source, with its paths if the address names only a host. A registry of this kind may also have a longer path. */
public enum SourceKind implements WireNamed {
    /** An agent card of A2A, or a list of cards. */
    A2A_CARD("/.well-known/agent-card.json"),
    /** A catalogue in the form of ARD or AI Catalog, including nested catalogues. ARD calls the path of AI Catalog its older one. */
    AI_CATALOG("/.well-known/ard.json", "/.well-known/ai-catalog.json"),
    /** A registry of MCP servers (v0.1). */
    MCP_REGISTRY("/v0.1/servers"),
    /** Another registry of this product, by the catalogue that it serves. */
    AGENT_HEALTH("/.well-known/ard.json");

    private final List<String> paths;

    SourceKind(String... paths) {
        this.paths = List.of(paths);
    }

    /**
     * Returns the addresses to read, at least one. A later address is read only if no earlier one has a document.
     *
     * @param url a valid URL without a fragment
     */
    public List<String> addresses(String url) {
        URI address = URI.create(url);
        String given = address.getRawPath() == null ? "" : address.getRawPath();
        boolean namesDocument = this != AGENT_HEALTH || given.contains("/.well-known/") || given.endsWith(".json");
        if (address.getRawQuery() != null || given.length() > 1 && namesDocument) {
            return List.of(url);
        }
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        return paths.stream().map(path -> base + path).toList();
    }
}
