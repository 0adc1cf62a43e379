package dev.agenthealth.functions.storage.trust;

import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;

/**
 * Records an invocation in the track record and in the log of its agent and its provider (ServiceNet, Health records). Nothing is read, and
 * every write adds. The caller needs a condition of its own, so that the transaction is applied only once.
 */
public final class InvocationWrites {

    private InvocationWrites() {}

    /** Adds the writes of an invocation: three items, or five if the agent has a provider and the invocation is evidence. No write has a condition. */
    public static void add(Transaction transaction, Table registry, Invocation invocation) {
        transaction.update(registry, CallSumsItem.addition(invocation));
        add(transaction, registry, new OfAgent(invocation.agentId()), invocation);
        if (!invocation.providerId().isEmpty()) {
            add(transaction, registry, new OfProvider(invocation.providerId()), invocation);
        }
    }

    private static void add(Transaction transaction, Table registry, TrustSubject subject, Invocation invocation) {
        String receipt = invocation.receiptId();
        transaction.update(registry, TrackRecordItem.addition(TrackRecordPlace.key(subject, receipt), invocation));
        if (invocation.evidence() || subject instanceof OfAgent) {
            transaction.put(
                    registry, LoggedInvocationItem.of(TrackRecordPlace.partition(subject, receipt), invocation));
        }
    }
}
