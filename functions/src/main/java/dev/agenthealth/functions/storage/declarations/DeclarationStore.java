package dev.agenthealth.functions.storage.declarations;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static java.util.stream.Collectors.joining;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.PulseWrites;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.declaration.DeclarationState;
import dev.agenthealth.model.registry.declaration.DeclaredParts;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ModelInfo;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the declaration of each agent together with its accepted parts. The item is written only if they change. Thread-safe. */
public final class DeclarationStore {

    /** A line for each part, with a hash and a name; names have no line breaks. */
    private static final AttributeType<DeclaredParts> PARTS =
            TEXT.as(DeclaredParts.NONE, DeclarationStore::text, DeclarationStore::parts);

    private static final Codec<DeclarationState> STATE = new Codec<>();
    private static final Attribute<DeclarationKind> KIND =
            STATE.always("kind", AttributeType.wireName(DeclarationKind.MODEL), DeclarationState::kind);
    private static final Attribute<DeclaredParts> PRESENT = STATE.always("present", PARTS, DeclarationState::present);

    /** The accepted parts, which are left out if they equal the present parts. */
    private static final Attribute<DeclaredParts> ACCEPTED = STATE.optionalPart(
                    state -> Optional.of(state).filter(DeclarationState::isChanged))
            .always("accepted", PARTS, DeclarationState::accepted);

    private static final Attribute<Instant> OBSERVED_AT = STATE.always("at", MOMENT, DeclarationState::observedAt);
    private static final Attribute<Long> REVISION = STATE.always("rev", NUMBER, DeclarationState::revision);

    private final Database database;

    public DeclarationStore(Database database) {
        this.database = database;
    }

    /** Returns the present state of an agent's declaration; {@link DeclarationState#NONE} if nothing is known. */
    public DeclarationState current(String agentId) {
        Map<String, AttributeValue> item = database.registry().get(ItemKind.DECLARATION.key(agentId), true);
        DeclaredParts present = PRESENT.of(item);
        return item.isEmpty()
                ? DeclarationState.NONE
                : new DeclarationState(
                        KIND.of(item),
                        ACCEPTED.isIn(item) ? ACCEPTED.of(item) : present,
                        present,
                        OBSERVED_AT.of(item),
                        REVISION.of(item));
    }

    /** Returns the change of the declaration by observed models. Reads only if another model than before is served for a requested name. */
    public DeclarationChange ofServed(String agentId, ModelInfo before, ModelInfo after, Instant now) {
        if (before.changedAt().equals(after.changedAt())) {
            return DeclarationChange.NONE;
        }
        DeclarationState seen = current(agentId);
        return new DeclarationChange(seen, seen.served(before, after, now));
    }

    /** Returns the change of the declaration by another profile. Reads only if the model changed. */
    public DeclarationChange ofModel(String agentId, ModelInfo before, ModelInfo after, Instant now) {
        if (before.name().equals(after.name()) && before.version().equals(after.version())) {
            return DeclarationChange.NONE;
        }
        DeclarationState seen = current(agentId);
        return new DeclarationChange(seen, seen.modelled(before, after, now));
    }

    /**
     * Writes a change with its event.
     *
     * @param seen the agent, without the event counted
     * @param archived whether the agent has a tombstone in place of a row
     * @param roleId its role; empty for none
     * @return {@code false} if a concurrent write changed the declaration, or the agent had another event since it was read
     */
    public boolean write(Pulse seen, boolean archived, String roleId, DeclarationChange change) {
        Pulse counted = change.counted(seen);
        if (counted.equals(seen)) {
            return database.registry().put(item(seen.agentId(), change.after()), unchanged(change.before()));
        }
        Transaction transaction = database.transaction();
        if (archived) {
            transaction.update(
                    database.registry(), PulseWrites.declaration(ItemKind.TOMBSTONE.key(seen.agentId()), counted));
        } else {
            transaction.update(database.pulses(), PulseWrites.declaration(PulseItem.key(seen.agentId()), counted));
        }
        change.addTo(transaction, database, counted, roleId);
        return transaction.commit();
    }

    static Map<String, AttributeValue> item(String agentId, DeclarationState state) {
        return STATE.item(ItemKind.DECLARATION.key(agentId), state);
    }

    static Condition unchanged(DeclarationState before) {
        return before.isKnown() ? REVISION.is(before.revision()) : Condition.absent(Attributes.PK);
    }

    private static String text(DeclaredParts parts) {
        return parts.hashes().entrySet().stream()
                .map(part -> part.getValue() + " " + part.getKey())
                .collect(joining("\n"));
    }

    private static DeclaredParts parts(String text) {
        SortedMap<String, String> hashes = new TreeMap<>();
        text.lines().map(line -> line.split(" ", 2)).forEach(part -> hashes.put(part[1], part[0]));
        return new DeclaredParts(hashes);
    }
}
