package dev.agenthealth.functions.storage.credentials;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.bytes;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.s;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The credential of each agent, kept until it is replaced or removed, or the agent is erased. Thread-safe. */
public final class CredentialStore {

    private static final String SEALED = "sealed";
    private static final String ENDPOINT = "to";
    private static final String SET_AT = "at";

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
                : Optional.of(new StoredCredential(
                        bytes(item, SEALED), text(item, ENDPOINT), moment(item, SET_AT, Instant.EPOCH)));
    }

    /** Sets the credential of an agent, in place of an earlier one. */
    public void put(String agentId, StoredCredential credential) {
        Map<String, AttributeValue> item = Attributes.item(ItemKind.AGENT_CREDENTIAL.key(agentId));
        item.put(SEALED, b(credential.sealed()));
        item.put(ENDPOINT, s(credential.endpoint()));
        item.put(SET_AT, moment(credential.setAt()));
        registry.put(item);
    }

    /** Removes the credential of an agent; does nothing where it has none. */
    public void remove(String agentId) {
        registry.delete(ItemKind.AGENT_CREDENTIAL.key(agentId));
    }
}
