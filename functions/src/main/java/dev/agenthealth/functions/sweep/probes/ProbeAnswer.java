package dev.agenthealth.functions.sweep.probes;

import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.model.registry.profile.CardSignature;
import dev.agenthealth.model.registry.profile.ProbeResult;
import java.time.Instant;
import java.util.Optional;

/**
 * The answer to one probe.
 *
 * @param failure why the agent does not count as alive, in a few words; empty where it does
 * @param declared what a health document says of its agent; empty without one
 * @param millis how long the answer took
 * @param certificateEnds when the certificate of the host ends; empty without TLS and without an answer
 * @param signature what the signatures of its card are worth; empty without a card
 * @param declaration what the agent declares; empty where that was not seen as a whole, and for an agent that does not count as alive
 * @param isOfHost whether anything came from the host in time, be it a refusal
 */
record ProbeAnswer(
        String failure,
        String declared,
        long millis,
        Optional<Instant> certificateEnds,
        Optional<CardSignature> signature,
        Optional<Observation> declaration,
        boolean isOfHost) {

    /** The answer for an agent whose host left the probes of others without an answer. */
    static final ProbeAnswer SILENT_HOST = new ProbeAnswer(
            "no answer of its host", "", 0, Optional.empty(), Optional.empty(), Optional.empty(), false);

    /** Returns what is kept of the answer to a probe that ended at this moment. */
    ProbeResult at(Instant now) {
        return new ProbeResult(
                now,
                failure,
                declared,
                millis,
                certificateEnds.orElse(Instant.EPOCH),
                signature,
                declaration.map(seen -> seen.parts().digest()).orElse(""));
    }

    boolean isAlive() {
        return failure.isEmpty();
    }
}
