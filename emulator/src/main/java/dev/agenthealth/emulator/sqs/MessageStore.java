package dev.agenthealth.emulator.sqs;

import java.util.List;

/** Stores the messages of one queue, so that they outlive a restart. */
interface MessageStore {

    /** Returns all stored messages, oldest first. */
    List<Message> load();

    /**
     * Stores messages before it returns.
     *
     * @param synced true to survive a loss of power at once; otherwise the messages survive it if a later change of the same database does
     */
    void keep(List<Message> messages, boolean synced);

    /** Removes the messages that are stored. */
    void forget(List<Message> messages);

    /** Returns a store for a queue in memory, which stores nothing. */
    static MessageStore none() {
        return new MessageStore() {
            @Override
            public List<Message> load() {
                return List.of();
            }

            @Override
            public void keep(List<Message> messages, boolean synced) {
                // The queue holds them in memory.
            }

            @Override
            public void forget(List<Message> messages) {
                // Nothing is stored.
            }
        };
    }
}
