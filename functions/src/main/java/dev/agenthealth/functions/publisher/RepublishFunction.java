package dev.agenthealth.functions.publisher;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;

/** Sends events of a time range to the bus once more, for administrators. */
public final class RepublishFunction extends HttpFunction {

    private final Authenticator authenticator;
    private final Republishing republishing;
    private final Clock clock;
    private final RouteTable routes;

    /** For Lambda. */
    public RepublishFunction() {
        this(Wiring.fromEnvironment());
    }

    public RepublishFunction(Wiring wiring) {
        this(wiring, wiring.log());
    }

    private RepublishFunction(Wiring wiring, Log log) {
        super(wiring, log);
        Stores stores = Stores.of(wiring);
        EventBus bus = new EventBus(wiring.eventBridge().get(), wiring.required("EVENT_BUS"), log);
        this.clock = wiring.clock();
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.republishing = new Republishing(stores.events(), bus, clock, log);
        this.routes = new RouteTable().on("POST /v1/admin/events/republish", this::republish);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("POST /v1/admin/events/republish");
    }

    private ApiResponse republish(ApiRequest request) {
        Caller administrator = authenticator.administrator(request);
        return ApiResponse.json(
                200, republishing.run(administrator, RepublishRange.of(request.fields(), clock.instant())));
    }
}
