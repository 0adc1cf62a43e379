package dev.agenthealth.functions.api.page;

import static dev.agenthealth.functions.api.access.Access.PUBLIC;
import static dev.agenthealth.functions.api.routes.Route.Option.ALSO_HEAD;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.snapshot.Priming;
import java.util.LinkedHashMap;
import java.util.Map;

/** Serves the page and its files. They need no key and show nothing of the fleet; the page's scripts send the visitor's key to the API. */
public final class PageRoutes {

    /** The policy allows scripts, styles and requests of this origin only, and no frame around the page. */
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
                    + " form-action 'none'; frame-ancestors 'none'";

    private static final String VALIDATE = "no-cache";
    private static final String FOR_A_YEAR = "public, max-age=31536000, immutable";

    /** Returns the part of a priming that reads the files, so that no first visit of a restored function reads them. */
    public Priming.Part warmUp() {
        return new Priming.Part("page", PageFiles::ofClassPath, false);
    }

    public void addTo(Routes routes) {
        routes.on(
                        "GET /",
                        PUBLIC,
                        request -> answer(request, PageFiles.ofClassPath().index(), VALIDATE),
                        SAMPLED,
                        ALSO_HEAD)
                .on("GET /page/{version}/{file}", PUBLIC, this::file, SAMPLED, ALSO_HEAD);
    }

    private ApiResponse file(ApiRequest request) {
        PageFiles files = PageFiles.ofClassPath();
        PageFiles.File file = files.find(request.pathText("file"))
                .orElseThrow(() -> ApiError.notFound("file_not_found", "The page has no such file."));
        // During a deployment, a page of one version may get a file of another version. No cache keeps such a file
        // under the wrong name.
        boolean current = request.pathText("version").equals(files.version());
        return answer(request, file, current ? FOR_A_YEAR : VALIDATE);
    }

    private static ApiResponse answer(ApiRequest request, PageFiles.File file, String cacheControl) {
        Map<String, String> headers = new LinkedHashMap<>(Map.of(
                "ETag",
                file.tag().value(),
                "Cache-Control",
                cacheControl,
                "Content-Security-Policy",
                CONTENT_SECURITY_POLICY,
                "X-Content-Type-Options",
                "nosniff",
                "Referrer-Policy",
                "no-referrer"));
        if (file.tag().isAmong(request.header("if-none-match"))) {
            return new ApiResponse(304, headers, "");
        }
        headers.put("Content-Type", file.type());
        return new ApiResponse(200, headers, file.content());
    }
}
