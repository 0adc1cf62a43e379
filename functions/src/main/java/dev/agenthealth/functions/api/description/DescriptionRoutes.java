package dev.agenthealth.functions.api.description;

import static dev.agenthealth.functions.api.routes.Route.Option.ALSO_HEAD;
import static dev.agenthealth.functions.api.routes.Route.Option.ANY_ORIGIN;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Freshness;
import dev.agenthealth.functions.runtime.json.Json;

/** {@code GET /openapi.json}: the description of the API (OpenAPI 3.1). Thread-safe. */
public final class DescriptionRoutes {

    private Description description;

    public void addTo(Routes routes) {
        routes.on("GET /openapi.json", Access.PUBLIC, this::show, SAMPLED, ANY_ORIGIN, ALSO_HEAD);
    }

    private ApiResponse show(ApiRequest request) {
        Description shown = description(request);
        return ApiResponse.cacheable(request, shown.text(), shown.tag(), Freshness.SHARED);
    }

    /**
     * Returns the description, which is read on the first request, because few instances ever serve it. The public address is the same for
     * all requests.
     */
    private synchronized Description description(ApiRequest request) {
        if (description == null) {
            ObjectNode file = (ObjectNode) DescriptionFile.read();
            String path = request.served().publicPath("");
            // Clients append the paths of the description, which begin with a slash.
            ((ObjectNode) file.path("servers").path(0)).put("url", path.isEmpty() ? "/" : path);
            String text = Json.text(file);
            description = new Description(text, EntityTag.of(text));
        }
        return description;
    }

    private record Description(String text, EntityTag tag) {}
}
