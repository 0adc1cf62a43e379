package dev.agenthealth.functions.operations.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.health.trust.Blocking;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.TrustSubject;
import dev.agenthealth.model.health.trust.TrustSubject.OfAgent;
import dev.agenthealth.model.health.trust.TrustSubject.OfProvider;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The blocks of agents and providers that people decided. Blocks of containment rules do not move: their rules decide again. Thread-safe.
 */
public final class BlockSection implements Section {

    private static final String AGENT_ID = "agent_id";
    private static final String PROVIDER_ID = "provider_id";
    private static final String REASON = "reason";
    private static final String UNTIL = "until";

    /** Separates the kind of a subject from its id. No id contains it. */
    private static final String AGENTS = "agent/";

    private static final String PROVIDERS = "provider/";

    private final BlockStore blocks;
    private final Blocking blocking;
    private final Clock clock;

    public BlockSection(Database database, Clock clock, Log log) {
        this.blocks = new BlockStore(database);
        this.blocking = new Blocking(database, clock, log);
        this.clock = clock;
    }

    @Override
    public String name() {
        return "blocks";
    }

    @Override
    public String idField(Fields object) {
        return object.has(PROVIDER_ID) ? PROVIDER_ID : AGENT_ID;
    }

    /** Returns blocks of agents, and then blocks of providers. */
    @Override
    public ListPage<Exported> export(String position, int limit) {
        boolean ofProviders = position.startsWith(PROVIDERS);
        String after = position.substring(position.indexOf('/') + 1);
        List<TrustSubject> subjects = new ArrayList<>();
        if (ofProviders) {
            blocks.blockedProviders(after, limit).forEach(id -> subjects.add(new OfProvider(id)));
        } else {
            blocks.blockedAgents(after, limit).forEach(id -> subjects.add(new OfAgent(id)));
        }
        Map<TrustSubject, Block> read = blocks.of(subjects);
        List<Exported> exported = new ArrayList<>();
        for (TrustSubject subject : subjects) {
            byPerson(read.get(subject))
                    .ifPresent(block -> exported.add(new Exported(id(subject), json(subject, block))));
        }
        String end = ofProviders ? "" : PROVIDERS;
        return new ListPage<>(exported, subjects.size() < limit ? end : id(subjects.get(subjects.size() - 1)));
    }

    @Override
    public Entry read(Fields fields) {
        String agentId = fields.id(AGENT_ID);
        String providerId = fields.id(PROVIDER_ID);
        if (fields.has(AGENT_ID) == fields.has(PROVIDER_ID)) {
            fields.refuse(AGENT_ID, "must be present, or " + PROVIDER_ID + ", but not both");
        }
        String reason = fields.textOrEmpty(REASON, Block.MAX_REASON_LENGTH).strip();
        Instant until = fields.timestamp(UNTIL).orElse(Instant.MAX);
        if (until.isAfter(Block.MAX_END) && fields.has(UNTIL)) {
            fields.refuse(UNTIL, "must be before the year 10000");
        }
        fields.refuseUnknown();
        TrustSubject subject = providerId.isEmpty() ? new OfAgent(agentId) : new OfProvider(providerId);
        if (!until.isAfter(clock.instant())) {
            return Entry.skipped(id(subject), "The block is over.");
        }
        Block wanted = new Block(true, reason, until, "", Instant.EPOCH, 0);
        return Entry.of(
                id(subject),
                json(subject, wanted),
                () -> byPerson(blocks.of(List.of(subject)).get(subject)).map(block -> json(subject, block)),
                author -> blocking.block(author, subject, reason, until));
    }

    private static Optional<Block> byPerson(Block block) {
        return Optional.of(block).filter(Block::inForce).filter(found -> !found.containment()
                .isByRule());
    }

    private static String id(TrustSubject subject) {
        return (subject instanceof OfAgent ? AGENTS : PROVIDERS) + subject.id();
    }

    private static ObjectNode json(TrustSubject subject, Block block) {
        ObjectNode json = Json.object()
                .put(subject instanceof OfAgent ? AGENT_ID : PROVIDER_ID, subject.id())
                .put(REASON, block.reason());
        if (block.hasEnd()) {
            json.put(UNTIL, Timestamps.text(block.until()));
        }
        return json;
    }
}
