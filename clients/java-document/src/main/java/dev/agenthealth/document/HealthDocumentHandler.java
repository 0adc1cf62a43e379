package dev.agenthealth.document;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.Optional;

/**
 * Serves an agent's health document from the JDK's HTTP server: {@code server.createContext(HealthDocumentHandler.PATH, handler)}.
 * Thread-safe.
 */
public final class HealthDocumentHandler implements HttpHandler {

    /** The path of the document (Agent Health State §4.1). */
    public static final String PATH = "/.well-known/agent-health";

    private static final int NOT_FOUND = 404;
    private static final int NO_BODY = -1;

    private final OwnHealth health;

    public HealthDocumentHandler(OwnHealth health) {
        this.health = health;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            // The server also passes on paths below the context, and longer paths with the same beginning.
            if (!exchange.getRequestURI()
                    .getPath()
                    .equals(exchange.getHttpContext().getPath())) {
                exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
                return;
            }
            String ifNoneMatch = Optional.ofNullable(
                            exchange.getRequestHeaders().getFirst("If-None-Match"))
                    .orElse("");
            DocumentAnswer answer = DocumentAnswer.to(exchange.getRequestMethod(), ifNoneMatch, health);
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            boolean body =
                    answer.body().length > 0 && !exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), body ? answer.body().length : NO_BODY);
            if (body) {
                exchange.getResponseBody().write(answer.body());
            }
        }
    }
}
