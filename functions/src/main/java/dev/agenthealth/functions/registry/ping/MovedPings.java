package dev.agenthealth.functions.registry.ping;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.HashFields;
import dev.agenthealth.functions.registry.ping.PingAddress.Token;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ping addresses of agents that move to another registry. A token moves as the hash of its secret, so that programs ping the same
 * path at the new registry. A token stays bound to the key that issued it. Thread-safe.
 */
public final class MovedPings {

    /** The field of an agent with the tokens of its ping address. */
    public static final String FIELD = "ping_tokens";

    /** The field of an agent with the key that owns it. */
    public static final String OWNER = "owner_key_id";

    private static final String HASH = "secret_sha256";
    private static final String ISSUER = "issued_by";
    private static final String ISSUED_AT = "issued_at";
    private static final int MAX_TOKENS = 2;

    private final Database database;
    private final PingStore addresses;
    private final PingIssuers issuers;
    private final Authenticator authenticator;

    public MovedPings(Database database, Authenticator authenticator) {
        this.database = database;
        this.addresses = new PingStore(database);
        this.issuers = new PingIssuers(authenticator);
        this.authenticator = authenticator;
    }

    /**
     * The tokens of an agent of another registry. The issuers have no hash of a secret, as the key here may have another secret.
     *
     * @param ownerKeyId the key that owns the agent
     */
    public record Moved(String agentId, String ownerKeyId, List<Token> tokens) {}

    /** Returns the tokens of an agent as they were given. */
    public static List<Fields> given(Fields agent) {
        return agent.objects(FIELD, MAX_TOKENS);
    }

    /** Reads the tokens of an agent, and records an error for each invalid field. */
    public static Moved read(Fields agent, List<Fields> given, String agentId, String ownerKeyId) {
        List<Token> tokens = new ArrayList<>();
        Set<Boolean> ofOwner = new HashSet<>();
        for (Fields token : given) {
            List.of(HASH, ISSUER, ISSUED_AT).forEach(token::require);
            Optional<KeyHash> hash = HashFields.read(token, HASH);
            String issuer = token.id(ISSUER);
            Instant at = token.timestamp(ISSUED_AT).orElse(Instant.EPOCH);
            token.refuseUnknown();
            if (!ofOwner.add(issuer.equals(ownerKeyId))) {
                agent.refuse(FIELD, "must have at most one token of the owner, and one of another key");
            }
            hash.ifPresent(secret -> tokens.add(new Token(secret, new Owner(issuer, KeyHash.NONE), at)));
        }
        tokens.sort(Comparator.comparing(token -> !token.issuer().keyId().equals(ownerKeyId)));
        return new Moved(agentId, ownerKeyId, tokens);
    }

    /** Returns an agent with the tokens of a document. */
    public static ObjectNode put(ObjectNode agent, Moved moved) {
        put(agent, moved.tokens());
        return agent;
    }

    private static void put(ObjectNode agent, List<Token> tokens) {
        if (tokens.isEmpty()) {
            return;
        }
        ArrayNode shown = agent.putArray(FIELD);
        for (Token token : tokens) {
            shown.addObject()
                    .put(HASH, token.secret().hex())
                    .put(ISSUER, token.issuer().keyId())
                    .put(ISSUED_AT, Timestamps.text(token.issuedAt()));
        }
    }

    /** Puts the valid tokens of agents in the form of a document. Costs one request for 100 agents, and a read for each token. */
    public void put(List<ObjectNode> agents) {
        Map<String, ObjectNode> byId = new HashMap<>();
        agents.forEach(agent -> byId.put(agent.path("agent_id").asText(), agent));
        addresses.findAll(byId.keySet()).forEach((agentId, address) -> {
            ObjectNode agent = byId.get(agentId);
            if (address.ownerKeyId().equals(agent.path(OWNER).asText())) {
                put(agent, valid(address));
            }
        });
    }

    private List<Token> valid(PingAddress address) {
        return Stream.of(address.ofOwner(), address.ofAdministrator())
                .filter(token -> issuers.find(address, token).isPresent())
                .toList();
    }

    /** Returns an agent with the moved tokens that are valid here. Other tokens of the agent are not compared, as an import removes nothing. */
    public ObjectNode putPresent(ObjectNode agent, Moved moved) {
        if (moved.tokens().isEmpty()) {
            return agent;
        }
        Set<KeyHash> secrets = moved.tokens().stream().map(Token::secret).collect(Collectors.toSet());
        List<Token> present = addresses
                .find(moved.agentId())
                .filter(address -> address.ownerKeyId().equals(moved.ownerKeyId()))
                .map(this::valid)
                .orElse(List.of());
        put(
                agent,
                present.stream()
                        .filter(token -> secrets.contains(token.secret()))
                        .toList());
        return agent;
    }

    /** Stores the moved tokens whose key is in force here. The key's present secret is the secret that they end with. */
    public void write(Author author, Moved moved) {
        List<Token> tokens = moved.tokens().stream()
                .flatMap(token -> authenticator.owner(token.issuer().keyId()).stream()
                        .map(issuer -> new Token(token.secret(), issuer, token.issuedAt())))
                .toList();
        if (tokens.isEmpty()) {
            return;
        }
        AuditEntry entry =
                AuditEntry.of(author, "agent.ping_url_issued", AuditObject.agent(moved.agentId()), Json.object());
        OptimisticUpdates.untilDone(() -> {
            Optional<PingAddress> before = addresses.find(moved.agentId());
            PingAddress known = before.filter(address -> address.ownerKeyId().equals(moved.ownerKeyId()))
                    .orElseGet(() -> PingAddress.none(moved.ownerKeyId()));
            PingAddress after = known.with(tokens.get(0)).with(tokens.get(tokens.size() - 1));
            return before.filter(after::equals).isPresent()
                    || AuditStore.recording(database, entry, PingStore::new).issue(moved.agentId(), before, after);
        });
    }
}
