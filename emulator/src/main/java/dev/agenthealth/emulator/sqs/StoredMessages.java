package dev.agenthealth.emulator.sqs;

import dev.agenthealth.dynamodb.Messages;
import dev.agenthealth.dynamodb.StoredMessage;
import java.util.List;

/** Stores the messages of a queue in the embedded database. */
final class StoredMessages implements MessageStore {

    private final Messages messages;
    private final String queue;

    /** @param queue the name of the queue */
    StoredMessages(Messages messages, String queue) {
        this.messages = messages;
        this.queue = queue;
    }

    @Override
    public List<Message> load() {
        return messages.load(queue).stream()
                .map(stored -> new Message(stored.id(), stored.body(), stored.sentAt()))
                .toList();
    }

    @Override
    public void keep(List<Message> kept, boolean synced) {
        messages.add(stored(kept), synced);
    }

    @Override
    public void forget(List<Message> forgotten) {
        messages.remove(stored(forgotten));
    }

    private List<StoredMessage> stored(List<Message> all) {
        return all.stream()
                .map(message -> new StoredMessage(queue, message.id(), message.sentAt(), message.body()))
                .toList();
    }
}
