package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.IdempotencyKey;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Sha256;
import java.util.Base64;
import java.util.List;

/** Tells by what a request is recognised when it comes again. */
final class IdempotentRequests {

    private static final String HEADER = "idempotency-key";

    private IdempotentRequests() {}

    /**
     * What the request is recognised by: the calling key, the agent, whether the caller waits, and the key in the header. None where that is
     * missing.
     *
     * @throws Problem 400 where the header holds something else
     */
    static IdempotentRequest of(ApiRequest request, Caller caller, String agentId, InvocationRequest wanted) {
        if (!request.hasHeader(HEADER)) {
            return IdempotentRequest.NONE;
        }
        IdempotencyKey key = IdempotencyKey.ofHeader(request.header(HEADER))
                .orElseThrow(() -> Problem.invalid(List.of(new FieldError("Idempotency-Key", IdempotencyKey.RULE))));
        return new IdempotentRequest(
                hash(caller.keyId(), agentId, request.routeKey(), key.text()),
                hash(
                        wanted.message().canonicalText(),
                        Long.toString(wanted.timeout().toMillis())));
    }

    private static String hash(String... parts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(List.of(parts)));
    }
}
