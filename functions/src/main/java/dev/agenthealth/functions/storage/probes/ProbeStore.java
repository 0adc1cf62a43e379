package dev.agenthealth.functions.storage.probes;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static java.util.stream.Collectors.toMap;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.events.EventWrites;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.Event;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.CardSignature;
import dev.agenthealth.model.registry.profile.CertificateWarning;
import dev.agenthealth.model.registry.profile.ProbeState;
import dev.agenthealth.model.registry.profile.ResponseTimes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the state of the probes of each watched agent. Thread-safe. */
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
    private static final Attribute<Instant> WARNED_OF =
            STATE.optional("warned", MOMENT, state -> state.warning().endsAt());
    private static final Attribute<Integer> WARNED_DAYS =
            STATE.optional("warned_days", INTEGER, state -> state.warning().days());
    private static final Attribute<ResponseTimes> RESPONSES = STATE.optional(
            "responses",
            TEXT.as(ResponseTimes.NONE, ResponseTimesText::of, ResponseTimesText::read),
            ProbeState::responses);

    private static final Attribute<String> SIGNATURE = STATE.optional("signature", TEXT, state -> state.signature()
            .map(WireNamed::wireName)
            .orElse(""));

    private static final Attribute<String> DECLARATION = STATE.optional("declaration", TEXT, ProbeState::declaration);

    private final Database database;
    private final Table registry;

    public ProbeStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /** Returns the state of an agent, which may be about a second old; {@link ProbeState#NONE} if no probe has ended. */
    public ProbeState find(String agentId) {
        return find(agentId, false);
    }

    /** Returns the state of an agent as of now; {@link ProbeState#NONE} if no probe has ended. */
    public ProbeState current(String agentId) {
        return find(agentId, true);
    }

    private ProbeState find(String agentId, boolean consistent) {
        Map<String, AttributeValue> item = registry.get(ItemKind.PROBES.key(agentId), consistent);
        return item.isEmpty() ? ProbeState.NONE : read(item);
    }

    /** Returns the states of these agents by id, eventually consistent. Agents without a state are left out. */
    public Map<String, ProbeState> findAll(List<String> agentIds) {
        return registry.getAll(agentIds.stream().map(ItemKind.PROBES::key).toList(), false).stream()
                .collect(toMap(ItemKind.PROBES::ofPartition, ProbeStore::read));
    }

    /** Replaces the state of an agent. Returns {@code false} if the state is no longer as it was read. */
    public boolean replace(String agentId, ProbeState before, ProbeState after) {
        return registry.put(item(agentId, after), unchanged(before));
    }

    /**
     * Replaces the state of an agent, and writes an event.
     *
     * @param counted the agent with the event counted
     * @return {@code false} if the state is no longer as it was read, or the agent had another event since it was read
     */
    public boolean replace(Pulse counted, ProbeState before, ProbeState after, Event event) {
        Transaction transaction = database.transaction()
                .update(database.pulses(), PulseWrites.events(counted, 1))
                .put(registry, item(counted.agentId(), after), unchanged(before));
        return EventWrites.add(transaction, database, List.of(event)).commit();
    }

    private static Map<String, AttributeValue> item(String agentId, ProbeState state) {
        return STATE.item(ItemKind.PROBES.key(agentId), state);
    }

    /** Returns the condition that the state is unchanged, by its time: every change has a different time. */
    private static Condition unchanged(ProbeState before) {
        return before.isKnown() ? Condition.equal(AT.name(), moment(before.at())) : Condition.absent(Attributes.PK);
    }

    private static ProbeState read(Map<String, AttributeValue> item) {
        return new ProbeState(
                new ProbeState.Last(FAILURE.of(item), AT.of(item), DECLARED.of(item), MILLIS.of(item)),
                new ProbeState.Series(SINCE.of(item), FAILING_SINCE.of(item)),
                new ProbeState.Certificate(
                        CERTIFICATE_ENDS.of(item), new CertificateWarning(WARNED_OF.of(item), WARNED_DAYS.of(item))),
                new ProbeState.Card(WireNamed.find(CardSignature.class, SIGNATURE.of(item)), DECLARATION.of(item)),
                RESPONSES.of(item));
    }
}
