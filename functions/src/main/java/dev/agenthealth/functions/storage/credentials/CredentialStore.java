package dev.agenthealth.functions.storage.credentials;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BYTES;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The credential of each agent, kept until it is replaced or removed, or the agent is erased. Thread-safe. */
public final class CredentialStore {

    private static final Codec<StoredCredential> CREDENTIAL = new Codec<>();
    private static final Attribute<byte[]> SEALED = CREDENTIAL.always("sealed", BYTES, StoredCredential::sealed);
    private static final Attribute<String> ENDPOINT = CREDENTIAL.always("to", TEXT, StoredCredential::endpoint);
    private static final Attribute<Instant> SET_AT = CREDENTIAL.always("at", MOMENT, StoredCredential::setAt);

    private final Table registry;

    public CredentialStore(Database database) {
        this.registry = database.registry();
    }

    /**
     * A credential.
     *
     * @param sealed encrypted
     * @param endpoint the one endpoint to which it may be sent
     * @param setAt when it was set
     */
    public record StoredCredential(byte[] sealed, String endpoint, Instant setAt) {}

    /** The credential of an agent, which may be about a second old; empty where it has none. One request, half a read unit. */
    public Optional<StoredCredential> find(String agentId) {
        Map<String, AttributeValue> item = registry.get(ItemKind.AGENT_CREDENTIAL.key(agentId), false);
        return item.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredCredential(SEALED.of(item), ENDPOINT.of(item), SET_AT.of(item)));
    }

    /** Sets the credential of an agent, in place of an earlier one. */
    public void put(String agentId, StoredCredential credential) {
        registry.put(CREDENTIAL.item(ItemKind.AGENT_CREDENTIAL.key(agentId), credential));
    }

    /** Removes the credential of an agent; does nothing where it has none. */
    public void remove(String agentId) {
        registry.delete(ItemKind.AGENT_CREDENTIAL.key(agentId));
    }
}
