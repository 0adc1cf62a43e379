package dev.agenthealth.functions;

import dev.agenthealth.functions.health.HealthRoutes;
import dev.agenthealth.functions.page.PageRoutes;
import dev.agenthealth.functions.routes.HttpFunction;
import dev.agenthealth.functions.routes.WarmUpRequest;
import dev.agenthealth.functions.trust.TrustRoutes;
import dev.agenthealth.functions.wiring.Wiring;

/** Health documents, agent cards, scores, trust and health records, and the page. Only reads, and computes nothing. */
public final class HealthFunction extends HttpFunction {

    /** For Lambda. */
    public HealthFunction() {
        this(Wiring.fromEnvironment());
    }

    public HealthFunction(Wiring wiring) {
        super(wiring);
        new HealthRoutes(stores(), wiring.clock()).addTo(routes());
        new TrustRoutes(wiring, stores(), log()).addReadsTo(routes());
        new PageRoutes().addTo(routes());
        warmUpWith(WarmUpRequest.withoutKey(HealthRoutes.HEALTH_OF_AGENT));
    }
}
