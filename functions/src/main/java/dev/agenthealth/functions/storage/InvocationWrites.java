package dev.agenthealth.functions.storage;

import dev.agenthealth.model.trust.Invocation;

/**
 * Records an invocation in the figures and in the log of its agent and its provider (ServiceNet, Health records). Nothing is read and nothing
 * can be lost: every write adds. Whoever writes these in a transaction makes sure by a condition of its own that the transaction happens once.
 */
final class InvocationWrites {

    private InvocationWrites() {}

    /** Adds the writes of an invocation: two items, or four where the agent has a provider. None has a condition. */
    static void add(Transactions.Items items, Tables tables, Invocation invocation) {
        String receipt = invocation.receiptId();
        String agent = RegistryKeys.agent(invocation.agentId());
        int shard = FiguresItem.shard(receipt, FiguresItem.SHARDS_OF_AGENT);
        items.update(FiguresItem.add(tables, RegistryKeys.figuresOfAgent(invocation.agentId(), shard), invocation));
        items.put(tables.registry(), LoggedInvocationItem.of(agent, invocation));
        if (invocation.providerId().isEmpty()) {
            return;
        }
        int spread = FiguresItem.shard(receipt, FiguresItem.SHARDS_OF_PROVIDER);
        items.update(
                FiguresItem.add(tables, RegistryKeys.figuresOfProvider(invocation.providerId(), spread), invocation));
        items.put(
                tables.registry(),
                LoggedInvocationItem.of(
                        RegistryKeys.provider(
                                invocation.providerId(), spread % LoggedInvocationItem.PARTITIONS_OF_PROVIDER),
                        invocation));
    }
}
