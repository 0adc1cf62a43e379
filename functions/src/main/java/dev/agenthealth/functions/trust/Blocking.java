package dev.agenthealth.functions.trust;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.trust.Block;
import dev.agenthealth.model.trust.TrustSubject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Blocks and unblocks agents and providers (ServiceNet, Blocking and unblocking). A repetition changes nothing. Thread-safe. */
final class Blocking {

    private final BlockStore blocks;
    private final Clock clock;
    private final Log log;

    Blocking(BlockStore blocks, Clock clock, Log log) {
        this.blocks = blocks;
        this.clock = clock;
        this.log = log;
    }

    /**
     * Blocks for the {@code reason} in the body, if any, and until the time in {@code until}, if any. The gateway calls a blocked subject no more.
     *
     * @throws Problem 400 for an invalid body
     */
    void block(Caller administrator, TrustSubject subject, Fields body) {
        Instant now = clock.instant();
        String reason = body.text("reason", Block.MAX_REASON_LENGTH).strip();
        Optional<Instant> end = body.timestamp("until");
        if (end.isPresent() && (!end.get().isAfter(now) || end.get().isAfter(Block.MAX_END))) {
            body.refuse("until", "must be in the future and before the year 10000");
        }
        body.refuseUnknown();
        body.check();
        Instant until = end.orElse(Instant.MAX);
        decide(administrator, subject, seen -> seen.blocked(reason, until, administrator.keyId(), now));
    }

    /** Unblocks. */
    void unblock(Caller administrator, TrustSubject subject) {
        decide(administrator, subject, seen -> seen.unblocked(administrator.keyId(), clock.instant()));
    }

    private void decide(Caller administrator, TrustSubject subject, Function<Block, Optional<Block>> decision) {
        Attempts.untilDone(() -> {
            Optional<Block> decided = decision.apply(blocks.of(List.of(subject)).get(subject));
            if (decided.isEmpty()) {
                return true;
            }
            boolean written = blocks.decide(subject, decided.get());
            if (written) {
                log.info(
                        decided.get().inForce() ? "blocked" : "unblocked",
                        Map.of("id", subject.id(), "by", administrator.keyId()));
            }
            return written;
        });
    }
}
