package dev.agenthealth.functions.operations.notification.channel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.outbound.Delivery;
import dev.agenthealth.functions.runtime.outbound.HttpSender;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** A channel of addresses that post into a chat. The path or query of an address is the secret. A message is one request. */
public abstract class HookChannel extends Channel {

    private final HttpSender http;
    private final Function<NotificationMessage, ObjectNode> body;

    /** @param body returns the body of a message in the form of the chat */
    protected HookChannel(String type, HttpSender http, Function<NotificationMessage, ObjectNode> body) {
        super(type, TargetField.hook(http));
        this.http = http;
        this.body = body;
    }

    @Override
    public final Delivery send(Target target, NotificationMessage message, Instant attemptAt) {
        Post post = new Post(target.url(), body.apply(message));
        return http.send(List.of(post), attemptAt, HttpSender.Refusals.FINAL);
    }
}
