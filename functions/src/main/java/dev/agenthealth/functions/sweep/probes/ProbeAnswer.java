package dev.agenthealth.functions.sweep.probes;

import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.model.registry.profile.CardSignature;
import dev.agenthealth.model.registry.profile.ProbeResult;
import java.time.Instant;
import java.util.Optional;

/**
 * The answer to one probe.
 *
 * @param failure why the agent does not count as alive, in a few words; empty if it does
 * @param declared the status that the agent's health document declares; empty without a document
 * @param millis the duration of the answer, in ms
 * @param certificateEnds when the certificate of the host ends; empty without TLS and without an answer
 * @param signature the validity of the card's signatures; empty without a card
 * @param declaration the declaration of the agent; empty if the probe did not see all of it, or the agent does not count as alive
 * @param isOfHost whether the host answered in time, even with a refusal
 */
record ProbeAnswer(
        String failure,
        String declared,
        long millis,
        Optional<Instant> certificateEnds,
        Optional<CardSignature> signature,
        Optional<Observation> declaration,
        boolean isOfHost) {

    /** The answer for an agent whose host did not answer the probes of other agents. */
    static final ProbeAnswer SILENT_HOST = new ProbeAnswer(
            "no answer of its host", "", 0, Optional.empty(), Optional.empty(), Optional.empty(), false);

    /** Returns the result to store for a probe that ended at this time. */
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
