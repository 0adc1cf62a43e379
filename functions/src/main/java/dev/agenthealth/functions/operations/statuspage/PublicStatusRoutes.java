package dev.agenthealth.functions.operations.statuspage;

import static dev.agenthealth.functions.api.access.Access.PUBLIC;
import static dev.agenthealth.functions.api.routes.Route.Option.ANY_ORIGIN;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.health.availability.SubjectAvailability;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.statuspage.StatusPageStore;
import dev.agenthealth.functions.storage.statuspage.StatusPageStore.Stored;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.health.availability.Availability;
import dev.agenthealth.model.operations.status.StatusEntry;
import dev.agenthealth.model.operations.status.StatusPage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The published status page and its badges. They need no key. Each process computes the availability at most once a minute, whoever asks.
 * Thread-safe.
 */
public final class PublicStatusRoutes {

    private static final Duration MAX_AGE = Duration.ofMinutes(1);
    private static final String PAGE = "GET /status/{path}";

    private final StatusPageStore pages;
    private final SubjectAvailability availability;
    private final Clock clock;

    private Stored read = new Stored(StatusPage.NONE, -1);
    private List<StatusLine> lines = List.of();
    private Instant until = Instant.MIN;

    public PublicStatusRoutes(Database database, Clock clock) {
        this.pages = new StatusPageStore(database);
        this.availability = new SubjectAvailability(database, clock);
        this.clock = clock;
    }

    public void addTo(Routes routes) {
        routes.on(PAGE, PUBLIC, this::page, SAMPLED)
                .on(PAGE + "/summary", PUBLIC, this::summary, SAMPLED, ANY_ORIGIN)
                .on(PAGE + "/badges/{name}", PUBLIC, this::badge, SAMPLED, ANY_ORIGIN);
    }

    private ApiResponse page(ApiRequest request) {
        StatusView view = view(request);
        return new ApiResponse(
                200,
                Map.of(
                        "Content-Type",
                        "text/html; charset=utf-8",
                        "Cache-Control",
                        cacheControl(),
                        "Content-Security-Policy",
                        StatusView.CONTENT_SECURITY_POLICY,
                        "X-Content-Type-Options",
                        "nosniff",
                        "Referrer-Policy",
                        "no-referrer"),
                view.html());
    }

    private ApiResponse summary(ApiRequest request) {
        return ApiResponse.json(200, view(request).json()).with("Cache-Control", cacheControl());
    }

    private ApiResponse badge(ApiRequest request) {
        String name = request.pathId("name");
        StatusLine line = view(request).lines().stream()
                .filter(found -> found.entry().name().equals(name))
                .findFirst()
                .orElseThrow(PublicStatusRoutes::notFound);
        return new ApiResponse(
                200,
                Map.of(
                        "Content-Type",
                        "image/svg+xml",
                        "Cache-Control",
                        cacheControl(),
                        "Content-Security-Policy",
                        "default-src 'none'",
                        "X-Content-Type-Options",
                        "nosniff"),
                StatusBadge.svg(line));
    }

    private static String cacheControl() {
        return "public, max-age=" + MAX_AGE.toSeconds();
    }

    private static ApiError notFound() {
        return ApiError.notFound("status_page_not_found", "Nothing is published here.");
    }

    private synchronized StatusView view(ApiRequest request) {
        String path = request.pathText("path");
        Stored found = pages.find(false);
        if (!found.page().published() || !found.page().path().equals(path)) {
            throw notFound();
        }
        Instant now = clock.instant();
        if (found.version() != read.version() || !ClockRule.holds(until, MAX_AGE, now)) {
            lines = found.page().entries().stream().map(this::line).toList();
            read = found;
            until = now.plus(MAX_AGE);
        }
        return new StatusView(found.page(), lines, now);
    }

    private StatusLine line(StatusEntry entry) {
        Optional<Availability> known =
                entry.agent() ? availability.ofAgent(entry.id()) : availability.ofRole(entry.id());
        return StatusLine.of(entry, known);
    }
}
