package dev.agenthealth.model.registry.upstream;

import java.time.Instant;
import java.util.Optional;

/**
 * A call of a model provider by an agent.
 *
 * @param provider the provider, as in {@link UpstreamName#ofProvider}; not empty
 * @param model the model, as in {@link UpstreamName#ofModel}; empty if unknown
 * @param error the failure that other agents may share; empty if the provider answered
 * @param at the end of the call
 */
public record UpstreamCall(String provider, String model, Optional<UpstreamError> error, Instant at) {

    public UpstreamCall {
        // An answer that refuses credentials shows that the provider works.
        error = error.filter(UpstreamError::isShared);
    }

    /** Returns whether the call failed in a way that other agents may share. */
    public boolean isFailure() {
        return error.isPresent();
    }

    /** Returns the call with another end. */
    public UpstreamCall endingAt(Instant moment) {
        return new UpstreamCall(provider, model, error, moment);
    }

    /** Returns the call; a call in the future ends now. */
    UpstreamCall notAfter(Instant now) {
        return at.isAfter(now) ? endingAt(now) : this;
    }
}
