package dev.agenthealth.functions.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Predicate;

/** The parameters of lists in pages: the opaque {@code next_token}, and {@code limit}. */
public final class PageToken {

    private static final String PARAMETER = "next_token";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;

    private PageToken() {}

    public static String of(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /** The {@code limit} of a page: 100 by default, from 1 to 1,000. Another value is an error of the field. */
    public static int limit(Fields query) {
        return query.integer("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
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
