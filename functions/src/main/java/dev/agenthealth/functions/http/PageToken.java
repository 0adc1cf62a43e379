package dev.agenthealth.functions.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Predicate;

/** The opaque {@code next_token} of a listing. */
public final class PageToken {

    private static final String PARAMETER = "next_token";

    private PageToken() {}

    public static String of(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /** The position in the request's token; empty where it has none, or an invalid one, which is an error of the field. */
    public static String position(Fields query, Predicate<String> isPosition) {
        String token = query.text(PARAMETER);
        if (token.isEmpty()) {
            return "";
        }
        String position = text(token);
        if (position.isEmpty() || !isPosition.test(position)) {
            query.refuse(PARAMETER, "must be the next_token of an earlier page");
            return "";
        }
        return position;
    }

    /** The text in a token; empty where the token is invalid. */
    public static String text(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
