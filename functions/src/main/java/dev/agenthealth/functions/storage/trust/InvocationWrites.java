package dev.agenthealth.functions.storage.trust;

import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.trust.Invocation;
import dev.agenthealth.model.trust.TrustSubject;
import dev.agenthealth.model.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.trust.TrustSubject.OfProvider;

/**
 * Records an invocation in the figures and in the log of its agent and its provider (ServiceNet, Health records). Nothing is read and nothing
 * can be lost: every write adds. Whoever writes these in a transaction makes sure by a condition of its own that the transaction happens once.
 */
public final class InvocationWrites {

    private InvocationWrites() {}

    /** Adds the writes of an invocation: two items, or four where the agent has a provider. None has a condition. */
    public static void add(Transactions.Items items, Tables tables, Invocation invocation) {
        add(items, tables, new OfAgent(invocation.agentId()), invocation);
        if (!invocation.providerId().isEmpty()) {
            add(items, tables, new OfProvider(invocation.providerId()), invocation);
        }
    }

    private static void add(Transactions.Items items, Tables tables, TrustSubject subject, Invocation invocation) {
        String receipt = invocation.receiptId();
        items.update(FiguresItem.add(tables, FiguresPlace.figures(subject, receipt), invocation));
        items.put(tables.registry(), LoggedInvocationItem.of(FiguresPlace.partition(subject, receipt), invocation));
    }
}
