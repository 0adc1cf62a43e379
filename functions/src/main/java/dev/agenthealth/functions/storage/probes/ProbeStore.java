package dev.agenthealth.functions.storage.probes;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static java.util.stream.Collectors.toMap;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.profile.CardSignature;
import dev.agenthealth.model.profile.ProbeState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The state of the probes of each watched agent. Thread-safe. */
public final class ProbeStore {

    private static final Codec<ProbeState> STATE = new Codec<>();
    private static final Attribute<String> FAILURE = STATE.optional("failure", TEXT, ProbeState::failure);
    private static final Attribute<Instant> SINCE = STATE.always("since", MOMENT, ProbeState::since);
    private static final Attribute<Instant> FAILING_SINCE = STATE.optional("failing", MOMENT, ProbeState::failingSince);
    private static final Attribute<Instant> AT = STATE.always("at", MOMENT, ProbeState::at);
    private static final Attribute<String> DECLARED = STATE.optional("declared", TEXT, ProbeState::declared);
    private static final Attribute<Long> MILLIS = STATE.always("ms", NUMBER, ProbeState::millis);
    private static final Attribute<Instant> CERTIFICATE_ENDS =
            STATE.optional("cert", MOMENT, ProbeState::certificateEnds);

    private static final Attribute<String> SIGNATURE = STATE.optional("signature", TEXT, state -> state.signature()
            .map(WireNamed::wireName)
            .orElse(""));

    private final Table registry;

    public ProbeStore(Database database) {
        this.registry = database.registry();
    }

    /** The state of an agent, which may be about a second old; {@link ProbeState#NONE} where no probe has ended. */
    public ProbeState find(String agentId) {
        Map<String, AttributeValue> item = registry.get(ItemKind.PROBES.key(agentId), false);
        return item.isEmpty() ? ProbeState.NONE : read(item);
    }

    /** The states of these agents by id, eventually consistent; those without one are left out. */
    public Map<String, ProbeState> findAll(List<String> agentIds) {
        return registry.getAll(agentIds.stream().map(ItemKind.PROBES::key).toList(), false).stream()
                .collect(toMap(ItemKind.PROBES::ofPartition, ProbeStore::read));
    }

    /** Stores the state of an agent, in place of an earlier one: the last probe that ended counts. */
    public void put(String agentId, ProbeState state) {
        registry.put(STATE.item(ItemKind.PROBES.key(agentId), state));
    }

    private static ProbeState read(Map<String, AttributeValue> item) {
        return new ProbeState(
                FAILURE.of(item),
                SINCE.of(item),
                FAILING_SINCE.of(item),
                AT.of(item),
                DECLARED.of(item),
                MILLIS.of(item),
                CERTIFICATE_ENDS.of(item),
                WireNamed.find(CardSignature.class, SIGNATURE.of(item)));
    }
}
