package dev.agenthealth.functions.sources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.source.ImportedId;
import java.util.Optional;

/**
 * An entry as a source lists it.
 *
 * @param identifier how the source names it
 * @param server whether it is an MCP server, and not an agent of A2A
 * @param card its card, where the source embeds it
 * @param url of its card; empty where it is embedded
 * @param dated a text that changes with the card, so that the card need not be read again; empty where there is none
 * @param healthUrl where its registry says how it is; empty for none
 */
record Listing(String identifier, boolean server, Optional<JsonNode> card, String url, String dated, String healthUrl) {

    /** An agent or a server whose card the source embeds. */
    static Listing embedded(String identifier, boolean server, JsonNode card) {
        return new Listing(identifier, server, Optional.of(card), "", "", "");
    }

    /** The id of its agent. */
    String agentId() {
        return ImportedId.of(identifier);
    }

    /** The digest of what is known without its card; empty where that says nothing of a change. */
    String datedDigest() {
        return dated.isEmpty()
                ? ""
                : Declaration.digest(Json.object().put("url", url).put("dated", dated));
    }

    /**
     * What its card declares; empty for one that is not imported.
     *
     * @param read the card that was read
     * @throws UnreadableSourceException where the card is none
     */
    Optional<Declaration> declaration(JsonNode read) {
        if (Declaration.isImported(read)) {
            return Optional.empty();
        }
        if (server) {
            return Declaration.ofServer(read);
        }
        Declaration declared = Declaration.ofCard(read, url);
        return Optional.of(healthUrl.isEmpty() ? declared : declared.ofRegistry(healthUrl));
    }
}
