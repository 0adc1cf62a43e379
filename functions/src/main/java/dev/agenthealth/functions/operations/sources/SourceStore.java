package dev.agenthealth.functions.operations.sources;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.BIT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.INTEGER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.MOMENT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBER;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.NUMBERS;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;
import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXTS;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.AttributeType;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Codec;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.operations.source.ImportedEntry;
import dev.agenthealth.model.operations.source.SourceKind;
import dev.agenthealth.model.registry.profile.CardSignature;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores the sources of agents and their entries. Thread-safe. */
public final class SourceStore {

    /** The retention of an entry with a deregistered agent, in case the entry returns. */
    private static final Duration KEEPS_GONE = Duration.ofDays(30);

    private static final Codec<Source> SOURCE = new Codec<>();
    private static final Attribute<String> URL = SOURCE.always("url", TEXT, Source::url);
    private static final Attribute<String> KEY = SOURCE.always("key", TEXT, Source::keyId);
    private static final Attribute<Optional<SourceKind>> KIND = SOURCE.optional(
            "kind",
            TEXT.as(
                    Optional.empty(),
                    kind -> kind.map(SourceKind::wireName).orElse(""),
                    name -> WireNamed.find(SourceKind.class, name)),
            Source::kind);
    private static final Attribute<Boolean> SIGNED = SOURCE.optional("signed", BIT, Source::requireSignature);
    private static final Attribute<Instant> CREATED_AT = SOURCE.always("created", MOMENT, Source::createdAt);
    private static final Attribute<Long> VERSION = SOURCE.always("ver", NUMBER, Source::version);

    private static final Codec<SyncState> STATE = SOURCE.part(Source::state);
    private static final Attribute<Instant> AT = STATE.optional("at", MOMENT, SyncState::at);
    private static final Attribute<Instant> WHOLE_AT = STATE.optional("whole", MOMENT, SyncState::wholeAt);
    private static final Attribute<Boolean> COMPLETE = STATE.optional("complete", BIT, SyncState::complete);
    private static final Attribute<Map<String, Long>> COUNTS = STATE.optional("counts", NUMBERS, SyncState::counts);
    private static final AttributeType<SyncState.Conflict> CONFLICT = TEXTS.as(
            new SyncState.Conflict("", "", ""),
            conflict -> List.of(conflict.identifier(), conflict.agentId(), conflict.reason()),
            texts -> new SyncState.Conflict(texts.get(0), texts.get(1), texts.get(2)));
    private static final Codec<SyncState.Listed> LISTED = STATE.part(SyncState::listed);
    private static final Attribute<List<SyncState.Conflict>> CONFLICTS =
            LISTED.optional("conflicts", CONFLICT.listed(), SyncState.Listed::conflicts);
    private static final AttributeType<SyncState.Refused> ENTRY_REFUSED = TEXTS.as(
            new SyncState.Refused("", "", CardSignature.UNSIGNED, false),
            refused -> List.of(
                    refused.identifier(),
                    refused.agentId(),
                    refused.signature().wireName(),
                    String.valueOf(refused.registered())),
            texts -> new SyncState.Refused(
                    texts.get(0),
                    texts.get(1),
                    WireNamed.find(CardSignature.class, texts.get(2)).orElseThrow(),
                    Boolean.parseBoolean(texts.get(3))));
    private static final Attribute<List<SyncState.Refused>> REFUSED =
            LISTED.optional("refused", ENTRY_REFUSED.listed(), SyncState.Listed::refused);
    private static final AttributeType<SyncState.Skipped> ENTRY_SKIPPED = TEXTS.as(
            new SyncState.Skipped("", ""),
            skipped -> List.of(skipped.identifier(), skipped.reason()),
            texts -> new SyncState.Skipped(texts.get(0), texts.get(1)));
    private static final Attribute<List<SyncState.Skipped>> SKIPPED =
            LISTED.optional("skipped", ENTRY_SKIPPED.listed(), SyncState.Listed::skipped);
    private static final Attribute<List<String>> ERRORS = STATE.optional("errors", TEXTS, SyncState::errors);

    private static final Codec<ImportedEntry> ENTRY = new Codec<>();
    private static final Attribute<String> IDENTIFIER = ENTRY.always("entry", TEXT, ImportedEntry::identifier);
    private static final Attribute<String> DIGEST = ENTRY.always("digest", TEXT, ImportedEntry::digest);
    private static final Attribute<Integer> MISSED = ENTRY.optional("missed", INTEGER, ImportedEntry::missed);

    private final Database database;
    private final Table registry;

    public SourceStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Returns the sources after a name, by name.
     *
     * @param after the name; empty for the first page
     * @param limit the maximum number of sources
     */
    public List<Source> page(String after, int limit) {
        Query query = Query.partition(ItemKind.SOURCE.partition()).after(after).consistent();
        return registry.first(limit, query).stream().map(SourceStore::read).toList();
    }

    /** Returns the source with a name, from a consistent read. */
    public Optional<Source> find(String name) {
        return registry.find(ItemKind.SOURCE.key(name)).map(SourceStore::read);
    }

    /**
     * Writes a source.
     *
     * @param before the source as it was read; empty for a new source
     * @return {@code false} if the stored source has changed since
     */
    public boolean write(Source source, Optional<Source> before) {
        return registry.put(
                SOURCE.item(ItemKind.SOURCE.key(source.name()), source),
                before.map(SourceStore::isAsRead).orElse(Condition.absent(Attributes.PK)));
    }

    /** Stores the result of a sync. Does nothing if the source was written since it was read. */
    public void note(Source source, SyncState state) {
        registry.update(Update.of(ItemKind.SOURCE.key(source.name()))
                .replace(STATE, state)
                .when(isAsRead(source)));
    }

    /** Removes a source. Its entries and agents stay. Returns {@code false} if the source was written since it was read. */
    public boolean remove(Source seen) {
        return registry.delete(ItemKind.SOURCE.key(seen.name()), isAsRead(seen));
    }

    /** Removes the entries of a removed source. A repeated call removes the remaining entries. */
    public void removeEntries(String name) {
        registry.deleteAll(registry.all(entriesOf(name).project(Attributes.PK, Attributes.SK))
                .map(Attributes::keyOf)
                .toList());
    }

    /** Returns all entries of a source by the ids of their agents. Costs half a read unit per 4 KB. */
    public Map<String, ImportedEntry> entries(String name) {
        Map<String, ImportedEntry> entries = new HashMap<>();
        registry.all(entriesOf(name))
                .filter(item -> !Attributes.isExpired(item, database.now()))
                .map(SourceStore::entry)
                .forEach(entry -> entries.put(entry.agentId(), entry));
        return entries;
    }

    /** Returns the entry of a source for an agent, from a consistent read; empty without one. */
    public Optional<ImportedEntry> entry(String name, String agentId) {
        return database.findUnexpired(ItemKind.SOURCE_ENTRY.key(name, agentId)).map(SourceStore::entry);
    }

    private static ImportedEntry entry(Map<String, AttributeValue> item) {
        return new ImportedEntry(
                Values.text(item, Attributes.SK), IDENTIFIER.of(item), DIGEST.of(item), MISSED.of(item));
    }

    /** Stores an entry. If two syncs overlap, each writes the entry that it read. */
    public void note(String name, ImportedEntry entry) {
        Map<String, AttributeValue> key = ItemKind.SOURCE_ENTRY.key(name, entry.agentId());
        registry.put(ENTRY.put(
                entry.claimsAgent()
                        ? Attributes.item(key)
                        : Attributes.item(key, database.now().plus(KEEPS_GONE)),
                entry));
    }

    /** Returns the condition that a source is unchanged. A source that was deleted and written anew has another time of creation. */
    private static Condition isAsRead(Source source) {
        return VERSION.is(source.version()).and(CREATED_AT.is(source.createdAt()));
    }

    private static Query entriesOf(String name) {
        return Query.partition(ItemKind.SOURCE_ENTRY.partition(name));
    }

    private static Source read(Map<String, AttributeValue> item) {
        return new Source(
                Values.text(item, Attributes.SK),
                URL.of(item),
                KEY.of(item),
                new Source.Options(KIND.of(item), SIGNED.of(item)),
                CREATED_AT.of(item),
                VERSION.of(item),
                new SyncState(
                        AT.of(item),
                        WHOLE_AT.of(item),
                        COMPLETE.of(item),
                        COUNTS.of(item),
                        new SyncState.Listed(CONFLICTS.of(item), REFUSED.of(item), SKIPPED.of(item)),
                        ERRORS.of(item)));
    }
}
