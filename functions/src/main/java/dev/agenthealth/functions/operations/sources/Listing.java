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
 * @param identifier how the source names it
 * @param server whether it is an MCP server, and not an agent of A2A
 * @param card its card, if the source embeds it
 * @param url of its card; empty if it is embedded
 * @param dated a text that changes with the card, so that the card need not be read again; empty if there is none
 * @param healthUrl where its registry says how it is; empty for none
 */
record Listing(String identifier, boolean server, Optional<JsonNode> card, String url, String dated, String healthUrl) {

    /** Returns an agent or a server whose card the source embeds. */
    static Listing embedded(String identifier, boolean server, JsonNode card) {
        return new Listing(identifier, server, Optional.of(card), "", "", "");
    }

    /** Returns the id of its agent. */
    String agentId() {
        return ImportedId.of(identifier);
    }

    /**
     * Returns the digest of what is known without its card; empty if that says nothing of a change.
     *
     * @param signed whether the signature of the card was valid
     */
    String datedDigest(boolean signed) {
        ObjectNode known = Json.object().put("url", url).put("dated", dated);
        return dated.isEmpty() ? "" : Declaration.digest(signed ? known.put("signed", true) : known);
    }

    /**
     * Returns the result of verifying the signatures of its card. Those of an embedded card are by a key of the host that runs the agent, as
     * nothing else is known to be its author's.
     *
     * @param read the card that was read
     * @param endpoint that the card declares
     */
    CardSignature signature(JsonNode read, String endpoint, CardVerifier verifier) {
        return !server && read instanceof ObjectNode signed
                ? verifier.verify(signed, url.isEmpty() ? endpoint : url)
                : CardSignature.UNSIGNED;
    }

    /** Returns the observation of what its card declares; empty for MCP servers, whose tools are in no card, and for resources without a card. */
    Optional<Observation> observation(JsonNode read) {
        return server || read.has(KubernetesResource.NAME)
                ? Optional.empty()
                : Optional.of(new Observation(DeclarationKind.CARD, DeclaredDocuments.ofCard(read)));
    }

    /** Returns why a card without a {@link #declaration} is not imported. */
    String skipReason(JsonNode read) {
        return Declaration.isImported(read)
                ? "was itself imported from elsewhere"
                : "has no address to call: it runs on the machine of its user";
    }

    /**
     * Returns the declaration of its card; empty for one that is not imported.
     *
     * @param read the card that was read
     * @throws UnreadableSourceException if the card is none
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
