package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Sends requests with the key or token, and turns refusals into exceptions. Thread-safe. */
final class Api {

    private static final Duration FIRST_WAIT = Duration.ofMillis(200);
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final Transport transport;
    private final URI base;
    private final Credential credential;
    private final Duration requestTimeout;
    private final Duration maxRetryTime;
    private final Scheduler scheduler;
    private final Backoff backoff;

    Api(
            Transport transport,
            URI base,
            Credential credential,
            Duration requestTimeout,
            Duration maxRetryTime,
            Scheduler scheduler,
            Backoff backoff) {
        this.transport = transport;
        this.base = base;
        this.credential = credential;
        this.requestTimeout = requestTimeout;
        this.maxRetryTime = maxRetryTime;
        this.scheduler = scheduler;
        this.backoff = backoff;
    }

    /**
     * The answer to a request.
     *
     * @param json missing if the answer has no body
     */
    record Reply(int status, JsonNode json) {}

    /** Returns the JSON of the answer to {@link #exchange}. */
    JsonNode send(Call call) {
        return exchange(call).json();
    }

    /**
     * Returns the answer. Retries while no answer arrives or the registry is busy, until {@code maxRetryTime} is over.
     *
     * @throws AgentHealthException with the last failure
     */
    Reply exchange(Call call) {
        long end = scheduler.nanoTime() + maxRetryTime.toNanos();
        for (int failures = 1; ; failures++) {
            Optional<Duration> retryAfter;
            AgentHealthException failure;
            try {
                return exchangeOnce(URI.create(base + call.target()), call);
            } catch (RegistryUnreachableException e) {
                if (!call.isRetriedAfterSilence() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                failure = e;
                retryAfter = Optional.empty();
            } catch (ProblemException e) {
                if (!call.isRetriedAfter(e)) {
                    throw e;
                }
                failure = e;
                retryAfter = e.retryAfter();
            }
            Duration wait = backoff.after(failures, FIRST_WAIT, MAX_WAIT, retryAfter);
            if (scheduler.nanoTime() + wait.toNanos() > end) {
                throw failure;
            }
            pause(wait, failure);
        }
    }

    /** Returns the URL of the registry, without a trailing slash. */
    String base() {
        return base.toString();
    }

    /** Returns the JSON of the answer to one request, which is not retried. */
    JsonNode sendOnce(Call call) {
        return sendOnce(URI.create(base + call.target()), call);
    }

    /** Returns the JSON of the answer to one request, sent to another address than the registry's. */
    JsonNode sendOnce(URI uri, Call call) {
        return exchangeOnce(uri, call).json();
    }

    private Reply exchangeOnce(URI uri, Call call) {
        String sent = Credential.checked(credential.current().get());
        try {
            return exchangeOnce(uri, call, sent);
        } catch (UnauthenticatedException e) {
            String next = afterRefusal(e);
            if (next.equals(sent)) {
                throw e;
            }
            return exchangeOnce(uri, call, next);
        }
    }

    private String afterRefusal(UnauthenticatedException refusal) {
        try {
            return Credential.checked(credential.afterRefusal().get());
        } catch (IllegalArgumentException e) {
            refusal.addSuppressed(e);
            throw refusal;
        }
    }

    private Reply exchangeOnce(URI uri, Call call, String presented) {
        Map<String, String> headers = new HashMap<>(call.headers());
        headers.putAll(credential.header(presented));
        headers.put("Accept", "application/json");
        try {
            return read(
                    uri,
                    transport.send(new Transport.Request(
                            call.method(), uri, headers, call.body(), requestTimeout.plus(call.answerTime()))));
        } catch (IOException e) {
            throw new RegistryUnreachableException("no answer from " + uri + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryUnreachableException("interrupted while waiting for " + uri, e);
        }
    }

    private static Reply read(URI uri, Transport.Answer answer) {
        JsonNode json = Json.read(answer.body());
        if (answer.status() >= 200
                && answer.status() < 300
                && (json.isObject() || answer.body().isEmpty())) {
            return new Reply(answer.status(), json);
        }
        boolean problem = answer.status() >= 400 && json instanceof ObjectNode && json.has("error");
        if (problem || isOfGateway(answer.status())) {
            ObjectNode document = json instanceof ObjectNode object ? object : Json.object();
            throw new Refusal(answer.status(), document, retryAfter(answer)).exception();
        }
        throw new UnexpectedAnswerException(
                answer.status(), uri + " does not answer as an Agent Health registry (status " + answer.status() + ")");
    }

    /** Returns true for statuses that proxies and API gateways send without a problem document. */
    private static boolean isOfGateway(int status) {
        return status == 413 || status == 429 || status == 502 || status == 503 || status == 504;
    }

    private static Optional<Duration> retryAfter(Transport.Answer answer) {
        String seconds = answer.header("Retry-After");
        return seconds.matches("\\d{1,6}")
                ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds)))
                : Optional.empty();
    }

    private void pause(Duration wait, AgentHealthException failure) {
        try {
            scheduler.pause(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
