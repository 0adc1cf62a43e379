package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.operations.notification.Channels;
import dev.agenthealth.functions.operations.notification.NotificationRun;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.Map;

/**
 * Notifies operators: collects the events of the bus from a queue, and sends messages by the rules of the operators. The sweep invokes the
 * function when it ends, so that both together take one execution at a time.
 */
public final class NotificationFunction implements RequestHandler<Map<String, Object>, NotificationRun.Result> {

    private final NotificationRun notifications;

    /** Lambda calls this constructor. */
    public NotificationFunction() {
        this(Wiring.fromEnvironment(), NameResolver.system(), SecureSockets.usual());
    }

    public NotificationFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usualWhenUsed());
    }

    /**
     * @param resolver resolves the host names of receivers
     * @param tls secures the connections to them
     */
    public NotificationFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this.notifications = new NotificationRun(wiring, Channels.of(wiring, resolver, tls));
    }

    /** @param event is not read */
    @Override
    public NotificationRun.Result handleRequest(Map<String, Object> event, Context context) {
        return notifications.run();
    }
}
