package dev.agenthealth.client.gate;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Requests health documents, following redirects on the same host. Thread-safe. */
final class DocumentRequest {

    private static final int MAX_BYTES = 65_536;
    private static final int MAX_REDIRECTS = 3;
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final Pattern TAG = Pattern.compile("(W/)?\"[\\x21\\x23-\\x7e]{0,200}\"");

    private final HttpClient http;
    private final Duration timeout;

    DocumentRequest(HttpClient http, Duration timeout) {
        this.http = http;
        this.timeout = timeout;
    }

    /** The answer to a request for a document. */
    sealed interface Answer {}

    /** A valid document. */
    record Received(HealthState health, Optional<String> tag, Freshness freshness) implements Answer {}

    /** The document with the tag is still current. */
    record NotModified(Freshness freshness) implements Answer {}

    /**
     * No valid document.
     *
     * @param retryAfter the wait that the server asks for
     */
    record Failed(String cause, Duration retryAfter) implements Answer {

        Failed(String cause) {
            this(cause, Duration.ZERO);
        }
    }

    /**
     * Returns the answer. The future never fails and completes within the timeout, even if the server sends slowly.
     *
     * @param tag the tag of the document that the caller has
     */
    CompletableFuture<Answer> send(URI url, Optional<String> tag) {
        Exchange exchange = new Exchange(tag);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        try {
            exchange.send(url, 0)
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((received, failure) -> {
                        exchange.end();
                        answer.complete(failure == null ? received : new Failed(cause(failure)));
                    });
        } catch (RuntimeException e) {
            answer.complete(new Failed(cause(e)));
        }
        return answer;
    }

    private final class Exchange {

        private final Optional<String> tag;
        private CompletableFuture<?> current = CompletableFuture.completedFuture("");
        private boolean ended;

        Exchange(Optional<String> tag) {
            this.tag = tag;
        }

        CompletableFuture<Answer> send(URI url, int redirects) {
            HttpRequest.Builder request = HttpRequest.newBuilder(url)
                    .GET()
                    .timeout(timeout)
                    .header("Accept", "application/json")
                    .header("User-Agent", "agent-health-client");
            tag.ifPresent(known -> request.header("If-None-Match", known));
            CompletableFuture<HttpResponse<byte[]>> response =
                    http.sendAsync(request.build(), info -> new LimitedBody(MAX_BYTES));
            begin(response);
            return response.thenCompose(received -> next(url, received, redirects));
        }

        private CompletableFuture<Answer> next(URI url, HttpResponse<byte[]> response, int redirects) {
            Optional<String> location = response.headers().firstValue("location");
            if (!isRedirect(response.statusCode()) || location.isEmpty()) {
                return CompletableFuture.completedFuture(answer(response));
            }
            return DocumentUrl.redirected(url, location.get())
                    .filter(to -> redirects < MAX_REDIRECTS)
                    .map(to -> send(to, redirects + 1))
                    .orElseGet(() -> CompletableFuture.completedFuture(
                            new Failed("a redirect that is not followed, status " + response.statusCode())));
        }

        private synchronized void begin(CompletableFuture<?> request) {
            current = request;
            if (ended) {
                request.cancel(true);
            }
        }

        /** Closes the connection of a request that took too long. */
        synchronized void end() {
            ended = true;
            current.cancel(true);
        }
    }

    private static boolean isRedirect(int status) {
        return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    }

    private static Answer answer(HttpResponse<byte[]> response) {
        Freshness freshness = Freshness.of(response.headers());
        if (response.statusCode() == NOT_MODIFIED) {
            return new NotModified(freshness);
        }
        if (response.statusCode() != OK) {
            return new Failed("status " + response.statusCode(), Freshness.retryAfter(response.headers()));
        }
        String type = response.headers().firstValue("content-type").orElse("");
        if (!type.split(";")[0].strip().toLowerCase(Locale.ROOT).equals("application/json")) {
            return new Failed("the answer is no JSON");
        }
        Optional<String> tag = response.headers().firstValue("etag").filter(value -> TAG.matcher(value)
                .matches());
        return HealthStateReader.read(response.body())
                .<Answer>map(health -> new Received(health, tag.filter(t -> freshness.storable()), freshness))
                .orElseGet(() -> new Failed("the document is not valid"));
    }

    /** Returns only the kind of the failure, because messages of exceptions may contain text of the server. */
    private static String cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof TimeoutException
                ? "no answer in time"
                : cause.getClass().getSimpleName();
    }
}
