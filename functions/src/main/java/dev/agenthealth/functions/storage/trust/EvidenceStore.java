package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.AttributeType.TEXT;

import dev.agenthealth.functions.storage.dynamo.Attribute;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.functions.storage.dynamo.Update;
import dev.agenthealth.functions.storage.outcomes.BatchMatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.model.health.trust.EvidenceSums;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Adds outcomes that coordinators report to the reputation of agents and their providers. Thread-safe. */
public final class EvidenceStore {

    /**
     * The time for which a counted batch is stored: two windows of maximum length and a day. If a window grows between a batch and its
     * retry, the retry is still recognised.
     */
    private static final Duration BATCH_RETENTION =
            Duration.ofSeconds(2L * MeasurementWindow.MAX_SECONDS).plusDays(1);

    private static final Attribute<String> CONTENT = new Attribute<>("c", TEXT);

    private final Database database;
    private final Table registry;

    public EvidenceStore(Database database) {
        this.database = database;
        this.registry = database.registry();
    }

    /**
     * Adds a batch to the evidence unless it is already counted. Costs one transaction, or none if nothing in the batch is evidence, as in
     * the batches that agents report about themselves.
     *
     * @param providerId the agent's provider; empty for none
     * @return {@code NEW} if the batch was added, {@code COUNTED} if there was nothing to add, {@code OTHER_CONTENT} if its id was
     *     used for other content
     */
    public BatchMatch count(OutcomeBatch batch, String providerId) {
        Instant now = database.now();
        EvidenceSums evidence = batch.evidence(now);
        if (evidence.isNone()) {
            return BatchMatch.COUNTED;
        }
        String hash = batch.hash().id();
        Map<String, AttributeValue> counted = Attributes.item(key(batch), now.plus(BATCH_RETENTION));
        CONTENT.put(counted, batch.hash().content());
        Transaction transaction = database.transaction()
                .put(registry, counted, Condition.absentOrExpired(now))
                .update(registry, addition(new OfAgent(batch.agentId()), hash, evidence, now));
        if (!providerId.isEmpty()) {
            transaction.update(registry, addition(new OfProvider(providerId), hash, evidence, now));
        }
        return transaction.commit() ? BatchMatch.NEW : batch.hash().matching(CONTENT.of(registry.get(key(batch))));
    }

    /** Returns whether the batch is evidence and its id was used for other content. */
    public boolean isReused(OutcomeBatch batch) {
        Instant now = database.now();
        return !batch.evidence(now).isNone()
                && registry.find(key(batch))
                        .filter(item -> !Attributes.isExpired(item, now))
                        .map(item -> batch.hash().matching(CONTENT.of(item)) == BatchMatch.OTHER_CONTENT)
                        .orElse(false);
    }

    private static Map<String, AttributeValue> key(OutcomeBatch batch) {
        return ItemKind.COUNTED_EVIDENCE.key(batch.agentId(), batch.hash().id());
    }

    private static Update addition(TrustSubject subject, String hash, EvidenceSums evidence, Instant now) {
        return TrackRecordItem.addition(TrackRecordPlace.key(subject, hash), evidence, now);
    }
}
