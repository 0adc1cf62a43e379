package dev.agenthealth.functions.storage.trust;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.model.trust.EvidenceSums;
import dev.agenthealth.model.trust.TrustSubject;
import dev.agenthealth.model.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Evidence of the reputation of agents and their providers besides invocations through the gateway: outcomes that coordinators report.
 * Thread-safe.
 */
public final class EvidenceStore {

    /**
     * So long a batch is known to be in the evidence: two of the longest windows, whatever the agent's own is, and a day. A window that is
     * made longer between a batch and its retry must not let the retry in once more.
     */
    private static final Duration MARK_KEPT =
            Duration.ofSeconds(2L * MeasurementWindow.MAX_SECONDS).plusDays(1);

    private final Tables tables;
    private final Transactions transactions;
    private final Clock clock;

    public EvidenceStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.tables = tables;
        this.transactions = new Transactions(dynamoDb, retries);
        this.clock = clock;
    }

    /**
     * Adds a batch to the evidence, where it is not in it yet: one transaction with a mark that it is, or none where nothing in the batch is
     * evidence, as in those of agents about themselves.
     *
     * @param providerId the agent's provider; empty for none
     * @return {@code false} where there was nothing to add
     */
    public boolean count(OutcomeBatch batch, String providerId) {
        Instant now = clock.instant();
        EvidenceSums evidence = batch.evidence(now);
        if (evidence.isNone()) {
            return false;
        }
        String hash = HexFormat.of().formatHex(batch.hash());
        Map<String, AttributeValue> mark = new HashMap<>(RegistryKeys.evidenceOfBatch(batch.agentId(), hash));
        mark.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        mark.put(RegistryKeys.EXPIRES, n(now.plus(MARK_KEPT).getEpochSecond()));
        Transactions.Items items = new Transactions.Items();
        items.putNew(tables.registry(), mark, now);
        add(items, new OfAgent(batch.agentId()), hash, evidence, now);
        if (!providerId.isEmpty()) {
            add(items, new OfProvider(providerId), hash, evidence, now);
        }
        return transactions.write("evidence", items.list());
    }

    private void add(Transactions.Items items, TrustSubject subject, String hash, EvidenceSums evidence, Instant now) {
        items.update(FiguresItem.add(tables, FiguresPlace.figures(subject, hash), evidence, now));
    }
}
