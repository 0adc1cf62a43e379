package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.operations.source.SourceKind;
import dev.agenthealth.model.registry.profile.Watch;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What sources list: catalogues, cards, MCP servers and resources of Kubernetes, as far as one document has them. */
public final class SourceReaderFuzzer {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-01T00:00:00Z"), ZoneOffset.UTC);

    private static final DocumentClient NO_DOCUMENTS = new DocumentClient(
            AddressCheck.of(Wiring.of(Map.of()).build(), host -> List.of()),
            new PinnedHttpClient(SecureSockets.usualWhenUsed()),
            "fuzzer");

    private static final List<Optional<SourceKind>> KINDS =
            List.of(Optional.empty(), Optional.of(SourceKind.AGENT_HEALTH), Optional.of(SourceKind.MCP_REGISTRY));

    private static final ProviderGrants GRANTS = ProviderGrants.of(Set.of());

    /** Nothing is read from an address: the time for it is over. */
    private static void read(Optional<SourceKind> kind, JsonNode document) {
        Instant over = CLOCK.instant().minusSeconds(1);
        for (String url : List.of("", "https://catalogue.example.com/agents.json")) {
            Source source = new Source(
                    "source", url, "key_1", new Source.Options(kind, false), Instant.EPOCH, 1, SyncState.NONE);
            EntryReads reads = new EntryReads(NO_DOCUMENTS, CLOCK, over);
            try {
                new SourceReader(NO_DOCUMENTS, CLOCK, source, over, reads)
                        .read(Optional.of(document))
                        .listings()
                        .forEach(SourceReaderFuzzer::declare);
            } catch (UnreadableSourceException refused) {
                // Says why, for operators.
            }
        }
    }

    private static void declare(Listing listing) {
        try {
            listing.card().flatMap(listing::declaration).ifPresent(declared -> {
                listing.datedDigest(true);
                declared.registration(listing.agentId(), "key_1", "source", listing.identifier(), GRANTS);
                declared.changes("source", listing.identifier(), GRANTS, Watch.NONE, Json.object());
            });
        } catch (UnreadableSourceException refused) {
            // Says why, for operators.
        }
    }

    private SourceReaderFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        JsonNode document;
        try {
            document = Json.received(new String(input, StandardCharsets.UTF_8));
        } catch (UnreadableJsonException refused) {
            return;
        }
        KINDS.forEach(kind -> read(kind, document));
    }
}
