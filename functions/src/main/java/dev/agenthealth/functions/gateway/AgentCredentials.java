package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.CredentialStore.StoredCredential;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.secrets.SecretBox;
import dev.agenthealth.functions.runtime.secrets.UnreadableSecretException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Bearer credentials for agents that require one. A credential belongs to one endpoint of one agent, and is not sent to another endpoint. Stored
 * credentials are cached for {@link #CACHE_TIME}, encrypted. Thread-safe.
 */
public final class AgentCredentials {

    static final Duration CACHE_TIME = Duration.ofSeconds(30);

    private static final int MAX_CACHED = 1_000;

    private final Database database;
    private final CredentialStore store;
    private final SecretBox box;
    private final Log log;
    private final Clock clock;
    private final Map<String, Cached> cache = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Cached> leastUsed) {
            return size() > MAX_CACHED;
        }
    });

    private record Cached(Optional<StoredCredential> credential, Instant until) {}

    /** Returns the credentials in this database. */
    public static AgentCredentials in(Database database, Wiring wiring, Log log) {
        return new AgentCredentials(database, SecretBox.of(wiring), log, wiring.clock());
    }

    private AgentCredentials(Database database, SecretBox box, Log log, Clock clock) {
        this.database = database;
        this.store = new CredentialStore(database);
        this.box = box;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Sets the credential for the agent's endpoint and replaces an earlier one. Returns the time; empty if the agent's owner or profile has changed
     * since it was read.
     */
    Optional<Instant> set(Author author, StoredAgent seen, String token) {
        AgentProfile agent = seen.profile();
        Instant now = clock.instant();
        byte[] sealed = box.seal(context(agent), token.getBytes(StandardCharsets.UTF_8));
        boolean stored = recording(author, "agent.credential_set", seen)
                .put(seen, new StoredCredential(sealed, agent.agentInterface().endpoint(), now));
        cache.remove(agent.agentId());
        return stored ? Optional.of(now) : Optional.empty();
    }

    /** Returns the stored credential for any endpoint, up to about a second old; empty without one. */
    Optional<StoredCredential> find(String agentId) {
        return store.find(agentId);
    }

    /** Removes the credential of an agent, if there is one. Returns {@code false} if the agent's owner or profile has changed since it was read. */
    boolean remove(Author author, StoredAgent seen) {
        boolean removed = !store.has(seen.pulse().agentId())
                || recording(author, "agent.credential_removed", seen).remove(seen);
        cache.remove(seen.profile().agentId());
        return removed;
    }

    private CredentialStore recording(Author author, String action, StoredAgent agent) {
        AuditObject object = AuditObject.agent(agent.pulse().agentId());
        return AuditStore.recording(
                database, AuditEntry.of(author, action, object, Json.object()), CredentialStore::new);
    }

    /**
     * Returns the headers that a call of the agent needs; empty without a credential for its endpoint.
     *
     * @throws CallFailedException if the credential can never be decrypted
     * @throws ApiError 503 if it cannot be decrypted now
     */
    public Map<String, String> headers(AgentProfile agent) {
        return headers(token(agent));
    }

    static Map<String, String> headers(Optional<String> token) {
        return token.map(text -> Map.of("Authorization", "Bearer " + text)).orElse(Map.of());
    }

    /**
     * Returns the credential for the agent's endpoint; empty without one.
     *
     * @throws CallFailedException if the credential can never be decrypted
     * @throws ApiError 503 if it cannot be decrypted now
     */
    Optional<String> token(AgentProfile agent) {
        Optional<StoredCredential> credential = stored(agent.agentId())
                .filter(found -> found.endpoint().equals(agent.agentInterface().endpoint()));
        if (credential.isEmpty()) {
            return Optional.empty();
        }
        try {
            byte[] token = box.open(context(agent), credential.get().sealed());
            return Optional.of(new String(token, StandardCharsets.UTF_8));
        } catch (UnreadableSecretException e) {
            log.failure("agent_credential_unreadable", agent.agentId(), e);
            throw new CallFailedException(InvocationFailure.CREDENTIAL_UNREADABLE);
        } catch (RuntimeException e) {
            log.failure("agent_credential_not_decrypted", agent.agentId(), e);
            throw ApiError.busy();
        }
    }

    private Optional<StoredCredential> stored(String agentId) {
        Instant now = clock.instant();
        Cached known = cache.get(agentId);
        if (known != null && ClockRule.holds(known.until(), CACHE_TIME, now)) {
            return known.credential();
        }
        Optional<StoredCredential> found = store.find(agentId);
        cache.put(agentId, new Cached(found, now.plus(CACHE_TIME)));
        return found;
    }

    private static String context(AgentProfile agent) {
        return "agent:" + agent.agentId() + " " + agent.agentInterface().endpoint();
    }
}
