package dev.agenthealth.functions.operations.notification;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.EventType;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import dev.agenthealth.model.registry.upstream.Upstreams;
import java.util.List;

/**
 * Marks problems of agents as parts of the problem of their model provider. So a provider that fails for many agents is one problem and one
 * message. Thread-safe.
 */
final class SharedCauses {

    private final UpstreamStore upstreams;

    SharedCauses(Database database) {
        this.upstreams = new UpstreamStore(database);
    }

    /** Returns the events, in their order. Costs one query if one of them may be a part. */
    List<List<ReceivedEvent>> marked(List<List<ReceivedEvent>> read) {
        if (read.stream().flatMap(List::stream).noneMatch(SharedCauses::mayBePart)) {
            return read;
        }
        Upstreams inForce = upstreams.inForce();
        return read.stream()
                .map(events ->
                        events.stream().map(event -> marked(event, inForce)).toList())
                .toList();
    }

    private static ReceivedEvent marked(ReceivedEvent event, Upstreams inForce) {
        return mayBePart(event) && inForce.of(event.entry().agentId()).isPresent()
                ? event.partOf(EventType.UPSTREAM_FAILING)
                : event;
    }

    /** Returns whether an event is a problem that the provider of an agent can cause. */
    private static boolean mayBePart(ReceivedEvent event) {
        return event.entry().kind() == EventKind.PROBLEM
                && event.partOf().isEmpty()
                && switch (event.type()) {
                    case AGENT_HEALTH, AGENT_SCORE, AGENT_STALLED, AGENT_LOOPING, AGENT_RUN_FAILED -> true;
                    default -> false;
                };
    }
}
