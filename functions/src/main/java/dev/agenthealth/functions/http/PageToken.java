package dev.agenthealth.functions.http;

import dev.agenthealth.model.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The opaque {@code next_token} of a listing. */
public final class PageToken {

    private static final String PARAMETER = "next_token";

    private PageToken() {}

    public static String of(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The position in the request's token; empty where it has none.
     *
     * @throws Problem 400 for a token that no page carried
     */
    public static String position(ApiRequest request) {
        try {
            return new String(Base64.getUrlDecoder().decode(request.query(PARAMETER)), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    public static Problem invalid() {
        return Problem.invalid(List.of(new FieldError(PARAMETER, "must be the next_token of an earlier page")));
    }
}
