package dev.agenthealth.document;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Serves an agent's health document from a servlet container. Map it to {@link HealthDocumentHandler#PATH}. Thread-safe. */
public final class HealthDocumentServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient OwnHealth health;

    public HealthDocumentServlet(OwnHealth health) {
        this.health = health;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String ifNoneMatch =
                Optional.ofNullable(request.getHeader("If-None-Match")).orElse("");
        DocumentAnswer answer = DocumentAnswer.to(request.getMethod(), ifNoneMatch, health);
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (answer.body().length > 0) {
            response.setContentLength(answer.body().length);
            if (!request.getMethod().equals("HEAD")) {
                response.getOutputStream().write(answer.body());
            }
        }
    }
}
