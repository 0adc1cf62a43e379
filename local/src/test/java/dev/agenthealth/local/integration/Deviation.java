package dev.agenthealth.local.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.EnumSet;
import java.util.Set;

/** A way in which an emulator differs from AWS: found by a test that fails on it and holds everywhere else. */
enum Deviation {
    EVENTS_WITHOUT_ACCOUNT("moto: what a rule's target gets does not name the account"),

    WRITES_NOT_ATOMIC(
            "moto: writes that come at once are not kept apart, and a failed transaction takes back what others wrote"),
    TABLES_WITHOUT_EXPIRY(
            "moto: CloudFormation makes tables without expiry of items and without point-in-time recovery");

    private final String description;

    Deviation(String description) {
        this.description = description;
    }

    /** The message where a test is skipped for it. */
    String description() {
        return description;
    }

    /** The deviations of the services at an endpoint. */
    static Set<Deviation> of(URI endpoint) {
        return isMoto(endpoint) ? EnumSet.allOf(Deviation.class) : EnumSet.noneOf(Deviation.class);
    }

    /** Returns true where the endpoint is moto_server, recognised by its administrative pages. */
    private static boolean isMoto(URI endpoint) {
        try {
            int status = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(endpoint.resolve("/moto-api/config"))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            return status / 100 == 2;
        } catch (IOException e) {
            throw new UncheckedIOException("nothing answers at " + endpoint, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
