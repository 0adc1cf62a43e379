package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.operations.sources.SourceSchedule;
import dev.agenthealth.functions.operations.sources.SourceSync;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.util.Map;

/** Reads the sources of agents once an hour, and registers, changes and deregisters their agents. */
public final class SourceFunction implements RequestHandler<Map<String, Object>, SourceSchedule.Result> {

    private final SourceSchedule schedule;

    /** Lambda calls this constructor. */
    public SourceFunction() {
        this(Wiring.fromEnvironment(), NameResolver.system(), SecureSockets.usual());
    }

    public SourceFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usualWhenUsed());
    }

    /**
     * @param resolver resolves the host names of sources
     * @param tls secures the connections to them
     */
    public SourceFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        Database database = Database.of(wiring);
        Authenticator authenticator = Authenticator.of(wiring, database);
        Log log = wiring.log();
        SourceSync sync = new SourceSync(wiring, database, authenticator, resolver, tls, log);
        this.schedule = new SourceSchedule(wiring, database, sync, log);
    }

    /** @param event the event of EventBridge Scheduler, which is not read */
    @Override
    public SourceSchedule.Result handleRequest(Map<String, Object> event, Context context) {
        return schedule.run(context);
    }
}
