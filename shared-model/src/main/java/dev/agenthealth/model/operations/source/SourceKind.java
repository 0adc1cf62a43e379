package dev.agenthealth.model.operations.source;

import dev.agenthealth.model.WireNamed;
import java.net.URI;

/** The kind of a source, with its path if the address names only a host. A registry of this kind may also have a longer path. */
public enum SourceKind implements WireNamed {
    /** An agent card of A2A, or a list of cards. */
    A2A_CARD("/.well-known/agent-card.json"),
    /** A catalogue in the form of AI Catalog or ARD, including nested catalogues. */
    AI_CATALOG("/.well-known/ai-catalog.json"),
    /** A registry of MCP servers (v0.1). */
    MCP_REGISTRY("/v0.1/servers"),
    /** Another registry of this product, by the catalogue that it serves. */
    AGENT_HEALTH("/.well-known/ard.json");

    private final String path;

    SourceKind(String path) {
        this.path = path;
    }

    /**
     * Returns the address to read.
     *
     * @param url a valid URL without a fragment
     */
    public String address(String url) {
        URI address = URI.create(url);
        String given = address.getRawPath() == null ? "" : address.getRawPath();
        boolean namesDocument = this != AGENT_HEALTH || given.contains("/.well-known/") || given.endsWith(".json");
        if (address.getRawQuery() != null || given.length() > 1 && namesDocument) {
            return url;
        }
        return (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + path;
    }
}
