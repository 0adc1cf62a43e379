package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CardVerifier;
import dev.agenthealth.functions.registry.declarations.DeclaredDocuments;
import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.operations.source.ImportedId;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.profile.CardSignature;
import java.util.Optional;

/**
 * An entry as a source lists it.
 *
 * @param identifier the name of the entry in the source
 * @param server whether it is an MCP server; otherwise it is an A2A agent
 * @param card the card, if the source embeds it
 * @param url the URL of the card; empty for an embedded card
 * @param dated a text that changes with the card, so that an unchanged card is not read again; empty without one
 * @param healthUrl the URL of the entry's health in its registry; empty without one
 */
record Listing(String identifier, boolean server, Optional<JsonNode> card, String url, String dated, String healthUrl) {

    /** Returns an agent or a server with an embedded card. */
    static Listing embedded(String identifier, boolean server, JsonNode card) {
        return new Listing(identifier, server, Optional.of(card), "", "", "");
    }

    /** Returns the id of the agent. */
    String agentId() {
        return ImportedId.of(identifier);
    }

    /**
     * Returns the digest of the entry without its card; empty if this digest would not show a change.
     *
     * @param signed whether the signature of the card was valid
     */
    String datedDigest(boolean signed) {
        ObjectNode known = Json.object().put("url", url).put("dated", dated);
        return dated.isEmpty() ? "" : Declaration.digest(signed ? known.put("signed", true) : known);
    }

    /**
     * Returns the result of verifying the signatures of the card. An embedded card must be signed with a key of the host that runs the agent. No
     * other host is known to belong to its author.
     *
     * @param read the card that was read
     * @param endpoint the endpoint in the card
     */
    CardSignature signature(JsonNode read, String endpoint, CardVerifier verifier) {
        return !server && read instanceof ObjectNode signed
                ? verifier.verify(signed, url.isEmpty() ? endpoint : url)
                : CardSignature.UNSIGNED;
    }

    /** Returns the observation of the card's declaration. Empty for MCP servers, as no card has their tools, and for resources without a card. */
    Optional<Observation> observation(JsonNode read) {
        return server || read.has(KubernetesResource.NAME)
                ? Optional.empty()
                : Optional.of(new Observation(DeclarationKind.CARD, DeclaredDocuments.ofCard(read)));
    }

    /** Returns the reason for which a card without a {@link #declaration} is not imported. */
    String skipReason(JsonNode read) {
        return Declaration.isImported(read)
                ? "was itself imported from elsewhere"
                : "has no address to call: it runs on the machine of its user";
    }

    /**
     * Returns the declaration in the card; empty if the entry is not imported.
     *
     * @param read the card that was read
     * @throws UnreadableSourceException if the document is no card
     */
    Optional<Declaration> declaration(JsonNode read) {
        if (Declaration.isImported(read)) {
            return Optional.empty();
        }
        if (read.has(KubernetesResource.NAME) && !server) {
            return Optional.of(Declaration.ofResource(read));
        }
        if (server) {
            return Declaration.ofServer(read);
        }
        Declaration declared = Declaration.ofCard(read, url);
        return Optional.of(healthUrl.isEmpty() ? declared : declared.ofRegistry(healthUrl));
    }
}
