package dev.agenthealth.functions.health.trust;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.identity.Author;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Blocks and unblocks agents and providers (ServiceNet, Blocking and unblocking). Repeating a request changes nothing. Thread-safe.
 *
 * <p>A blocked agent keeps its heartbeats and leases. The answers to its heartbeats warn it.
 */
public final class Blocking {

    private final Database database;
    private final BlockStore blocks;
    private final AgentStore agents;
    private final Clock clock;
    private final Log log;

    public Blocking(Database database, Clock clock, Log log) {
        this.database = database;
        this.blocks = new BlockStore(database);
        this.agents = new AgentStore(database);
        this.clock = clock;
        this.log = log;
    }

    /**
     * Blocks a subject, with the {@code reason} and up to the time in {@code until}, if the body has them. The gateway no longer calls a
     * blocked subject.
     *
     * @throws ApiError 400 for an invalid body
     */
    void block(Author administrator, TrustSubject subject, Fields body) {
        Instant now = clock.instant();
        String reason = body.textOrEmpty("reason", Block.MAX_REASON_LENGTH).strip();
        Optional<Instant> end = body.timestamp("until");
        if (end.isPresent() && (!end.get().isAfter(now) || end.get().isAfter(Block.MAX_END))) {
            body.refuse("until", "must be in the future and before the year 10000");
        }
        body.refuseUnknown();
        body.check();
        block(administrator, subject, reason, end.orElse(Instant.MAX));
    }

    /**
     * Blocks a subject.
     *
     * @param until the end of the block; {@link Instant#MAX} for none
     */
    public void block(Author administrator, TrustSubject subject, String reason, Instant until) {
        decide(administrator, subject, seen -> seen.blocked(reason, until, administrator.id(), clock.instant()));
    }

    /**
     * Unblocks a subject.
     *
     * @throws ApiError 403 if only a stop blocks the subject
     */
    void unblock(Author administrator, RatedSubject known) {
        decide(administrator, known.subject(), seen -> {
            if (!seen.inForce() && known.stopped().inForce()) {
                throw AgentError.stopped("A stop blocks '" + known.subject().id()
                        + "', which has no block of its own: lift the stop with DELETE /v1/admin/stop.");
            }
            return seen.unblocked(administrator.id(), clock.instant());
        });
    }

    /**
     * Records the ends of blocks that have passed, each with its event. If another writer changes a block meanwhile, the next pass of the
     * sweep continues.
     *
     * @param timeLeft whether there is time for one more transaction
     * @return the number of recorded ends
     */
    public long noteEnds(BooleanSupplier timeLeft) {
        return blocks.ended().entrySet().stream()
                .takeWhile(ended -> timeLeft.getAsBoolean())
                .filter(ended -> write(blocks, ended.getKey(), ended.getValue()))
                .count();
    }

    private void decide(Author administrator, TrustSubject subject, Function<Block, Optional<Block>> decision) {
        OptimisticUpdates.untilDone(() -> {
            Optional<Block> decided = decision.apply(blocks.of(List.of(subject)).get(subject));
            if (decided.isEmpty()) {
                return true;
            }
            boolean written = write(recording(administrator, subject, decided.get()), subject, decided.get());
            if (written) {
                log.info(
                        decided.get().inForce() ? "blocked" : "unblocked",
                        Map.of("id", subject.id(), "by", administrator.id()));
            }
            return written;
        });
    }

    private boolean write(BlockStore store, TrustSubject subject, Block decided) {
        Optional<StoredAgent> agent = subject instanceof OfAgent ? agents.find(subject.id()) : Optional.empty();
        return agent.map(found -> store.decide(found.pulse(), found.profile().roleId(), found.archived(), decided))
                .orElseGet(() -> store.decide(subject, decided));
    }

    /** Returns the store with an audit entry. The reason is free text, which the audit log does not contain. */
    private BlockStore recording(Author author, TrustSubject subject, Block decided) {
        AuditObject object = subject instanceof OfAgent
                ? AuditObject.agent(subject.id())
                : new AuditObject("provider", subject.id());
        ObjectNode after = Json.object();
        if (decided.inForce() && decided.hasEnd()) {
            after.put("until", Timestamps.text(decided.until()));
        }
        String action = object.type() + (decided.inForce() ? ".blocked" : ".unblocked");
        return AuditStore.recording(database, AuditEntry.of(author, action, object, after), BlockStore::new);
    }
}
