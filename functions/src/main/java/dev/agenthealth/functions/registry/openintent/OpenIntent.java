package dev.agenthealth.functions.registry.openintent;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import java.util.function.Function;

/** The path and the errors of the routes for OpenIntent's SDK. */
final class OpenIntent {

    /** The common path of the routes. */
    static final String API = "/openintent/api/v1";

    private OpenIntent() {}

    /** Returns a handler whose problems have the field {@code message}, which the SDK shows. */
    static Function<ApiRequest, ApiResponse> readable(Function<ApiRequest, ApiResponse> handler) {
        return request -> {
            try {
                return handler.apply(request);
            } catch (ApiError problem) {
                throw problem.with("message", problem.detail());
            }
        };
    }
}
