package dev.agenthealth.functions.trust;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.trust.Block;
import dev.agenthealth.model.trust.TrustSubject;
import dev.agenthealth.model.trust.TrustSubject.OfAgent;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Blocks and unblocks agents and providers (ServiceNet, Blocking and unblocking). A repetition changes nothing. Heartbeats and leases go on: an agent is warned by the answers to its heartbeats. Thread-safe. */
public final class Blocking {

    private final BlockStore blocks;
    private final AgentStore agents;
    private final Clock clock;
    private final Log log;

    public Blocking(Database database, Clock clock, Log log) {
        this.blocks = new BlockStore(database);
        this.agents = new AgentStore(database);
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

    /**
     * Notes the ends of blocks that have passed, each with its event. What another writer changes meanwhile is left to the next pass of the sweep.
     *
     * @param timeLeft whether there is time to begin one more transaction
     * @return the number of ends that were noted
     */
    public long noteEnds(BooleanSupplier timeLeft) {
        return blocks.ended().entrySet().stream()
                .takeWhile(ended -> timeLeft.getAsBoolean())
                .filter(ended -> write(ended.getKey(), ended.getValue()))
                .count();
    }

    private void decide(Caller administrator, TrustSubject subject, Function<Block, Optional<Block>> decision) {
        Attempts.untilDone(() -> {
            Optional<Block> decided = decision.apply(blocks.of(List.of(subject)).get(subject));
            if (decided.isEmpty()) {
                return true;
            }
            boolean written = write(subject, decided.get());
            if (written) {
                log.info(
                        decided.get().inForce() ? "blocked" : "unblocked",
                        Map.of("id", subject.id(), "by", administrator.keyId()));
            }
            return written;
        });
    }

    private boolean write(TrustSubject subject, Block decided) {
        Optional<StoredAgent> agent = subject instanceof OfAgent ? agents.find(subject.id()) : Optional.empty();
        return agent.map(found -> blocks.decide(found.pulse(), found.profile().roleId(), found.archived(), decided))
                .orElseGet(() -> blocks.decide(subject, decided));
    }
}
