package dev.agenthealth.emulator.sqs;

import java.util.List;

/** Stores the messages of one queue, so that they outlive a restart. */
interface MessageStore {

    /** Returns all stored messages, oldest first. */
    List<Message> load();

    /** Stores a message durably before it returns. */
    void keep(Message message);

    /** Removes a message if it is stored. */
    void forget(String messageId);

    /** Returns a store for a queue in memory, which stores nothing. */
    static MessageStore none() {
        return new MessageStore() {
            @Override
            public List<Message> load() {
                return List.of();
            }

            @Override
            public void keep(Message message) {
                // The queue holds it in memory.
            }

            @Override
            public void forget(String messageId) {
                // Nothing is stored.
            }
        };
    }
}
