package dev.agenthealth.functions;

import dev.agenthealth.functions.api.page.PageRoutes;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.api.routes.WarmUpRequest;
import dev.agenthealth.functions.api.signing.CardSigner;
import dev.agenthealth.functions.health.HealthRoutes;
import dev.agenthealth.functions.health.OwnCards;
import dev.agenthealth.functions.health.availability.AvailabilityRoutes;
import dev.agenthealth.functions.health.calls.CallRoutes;
import dev.agenthealth.functions.health.catalogue.CatalogueRoutes;
import dev.agenthealth.functions.health.trust.TrustRoutes;
import dev.agenthealth.functions.health.usage.UsageRoutes;
import dev.agenthealth.functions.operations.signin.SignInRoutes;
import dev.agenthealth.functions.operations.statuspage.PublicStatusRoutes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/**
 * Serves health documents, agent cards, scores, trust and health records, the catalogue, and the page. The function only reads, and
 * computes nothing.
 */
public final class HealthFunction extends HttpFunction {

    /** Lambda calls this constructor. */
    public HealthFunction() {
        this(Wiring.fromEnvironment());
    }

    public HealthFunction(Wiring wiring) {
        this(wiring, NameResolver.system());
    }

    /** @param resolver resolves the host names of agents whose cards are read */
    public HealthFunction(Wiring wiring, NameResolver resolver) {
        super(wiring);
        OwnCards own = OwnCards.of(wiring, resolver, SecureSockets.usualWhenUsed());
        new HealthRoutes(database(), wiring.clock(), CardSigner.of(wiring), own).addTo(routes());
        new AvailabilityRoutes(database(), wiring.clock()).addTo(routes());
        new UsageRoutes(database(), wiring.clock()).addTo(routes());
        new TrustRoutes(wiring, database(), log()).addReadsTo(routes());
        new CallRoutes(database(), wiring.clock()).addTo(routes());
        new CatalogueRoutes(database(), wiring.clock()).addTo(routes());
        PageRoutes page = new PageRoutes();
        page.addTo(routes());
        new PublicStatusRoutes(database(), wiring.clock()).addTo(routes());
        new SignInRoutes(wiring, authenticator()::identityProviders).addTo(routes());
        warmUpWith(WarmUpRequest.withoutKey(HealthRoutes.HEALTH_OF_AGENT), page.warmUp());
    }

    /** Returns {@code false}: this function may write no item. */
    @Override
    protected boolean recordsRefusals() {
        return false;
    }

    @Override
    protected ApiResponse refused(ApiError problem, ApiRequest request) {
        return CatalogueRoutes.KEYS.contains(request.routeKey())
                ? CatalogueRoutes.refused(problem)
                : super.refused(problem, request);
    }
}
