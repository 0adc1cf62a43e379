package dev.agenthealth.emulator.sqs;

import java.nio.file.Path;
import java.util.List;

/** Keeps the messages of one queue, so that a restart finds those that nobody has dealt with. */
interface MessageStore {

    /** What is kept, oldest first. */
    List<Message> load();

    /** Keeps a message; it is kept when this returns. */
    void keep(Message message);

    /** Forgets a message, if it is there. */
    void forget(String messageId);

    /** Keeps nothing, for a queue that does not outlive the process. */
    static MessageStore none() {
        return new MessageStore() {
            @Override
            public List<Message> load() {
                return List.of();
            }

            @Override
            public void keep(Message message) {
                // The queue itself has it for as long as the process runs.
            }

            @Override
            public void forget(String messageId) {
                // Nothing was kept.
            }
        };
    }

    /** Keeps each message in a file of its own, in a folder that is made when it is not there. */
    static MessageStore in(Path folder) {
        return new MessageFiles(folder);
    }
}
