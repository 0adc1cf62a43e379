package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.signing.CardKeys;
import dev.agenthealth.functions.api.signing.CardVerifier;
import dev.agenthealth.functions.operations.sources.SourceReader.Contents;
import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.operations.source.ImportedEntry;
import dev.agenthealth.model.operations.source.Offer;
import dev.agenthealth.model.operations.source.SourceKind;
import dev.agenthealth.model.operations.source.SyncAction;
import dev.agenthealth.model.operations.source.SyncRule;
import dev.agenthealth.model.operations.source.SyncRule.Known;
import dev.agenthealth.model.operations.source.SyncRule.Reading;
import dev.agenthealth.model.operations.source.SyncStep;
import dev.agenthealth.model.registry.profile.CardSignature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Synchronises the agents of a source with its list. Every write is one that the source's key could have requested. The next sync continues a sync
 * that was stopped. Two concurrent syncs do no harm, as each write is conditional on the values that were read. Thread-safe.
 */
public final class SourceSync {

    private static final int AT_ONCE = 16;

    private final SourceStore sources;
    private final AgentStore agents;
    private final KeyStore keys;
    private final ImportedAgents imported;
    private final DocumentClient documents;
    private final CachedConfiguration configuration;
    private final Executor executor;
    private final Clock clock;
    private final Log log;

    /**
     * @param resolver resolves the host names of sources
     * @param tls secures the connections to them
     */
    public SourceSync(
            Wiring wiring,
            Database database,
            Authenticator authenticator,
            NameResolver resolver,
            SecureSockets tls,
            Log log) {
        this.sources = new SourceStore(database);
        this.agents = new AgentStore(database);
        this.keys = new KeyStore(database);
        this.imported = new ImportedAgents(wiring, database, authenticator, log);
        this.documents =
                new DocumentClient(AddressCheck.of(wiring, resolver), new PinnedHttpClient(tls), "agent-health");
        this.configuration = new CachedConfiguration(database);
        this.executor = wiring.storageMeter().propagating(DaemonThreads.pool(AT_ONCE, "source"));
        this.clock = wiring.clock();
        this.log = log;
    }

    /**
     * Reads a source and applies its list.
     *
     * @param document a document to read instead of the source's address; then no entry counts as missing, and no state of the source is stored
     * @param dryRun whether nothing is written
     * @param until the time after which no further entry is begun
     */
    SyncResult run(Source source, Optional<JsonNode> document, boolean dryRun, Instant until) {
        Instant began = clock.instant();
        SyncResult result = new SyncResult();
        boolean whole = false;
        try {
            ApiKey key = keys.find(source.keyId())
                    .orElseThrow(() ->
                            new UnreadableSourceException("the key '" + source.keyId() + "' is no longer in force"));
            Instant readUntil = until.minus(Duration.between(began, until).dividedBy(3));
            EntryReads reads = new EntryReads(documents, clock, readUntil);
            Contents contents = new SourceReader(documents, clock, source, until, reads).read(document);
            whole = contents.whole();
            Map<String, ImportedEntry> entries = sources.entries(source.name());
            if (document.isPresent()) {
                entries.keySet()
                        .retainAll(contents.listings().stream()
                                .map(Listing::agentId)
                                .toList());
            }
            apply(new Run(
                    source, key, contents, entries, reads, verifier(readUntil), new Writes(result, dryRun, until)));
        } catch (UnreadableSourceException e) {
            result.stopped(e.getMessage());
        }
        if (!dryRun && document.isEmpty()) {
            sources.note(source, result.state(began, whole, source.state()));
            log.info("source_synced", Map.of("source", source.name()));
        }
        return result;
    }

    /** Returns the verifier of cards. It reads keys anew in each sync, as a host may have replaced a key. */
    private CardVerifier verifier(Instant until) {
        KeySets hosts = new KeySets(documents, clock, until);
        return new CardVerifier(new CardKeys(
                () -> configuration.current().configuration().get(RuntimeSettings.CARD_KEYS), hosts::read, clock));
    }

    /**
     * The writes of a sync.
     *
     * @param dryRun whether nothing is written
     * @param until the time after which nothing more is written
     */
    private record Writes(SyncResult result, boolean dryRun, Instant until) {}

    /** The data of a single sync of a source. */
    private record Run(
            Source source,
            ApiKey key,
            Contents contents,
            Map<String, ImportedEntry> entries,
            EntryReads reads,
            CardVerifier verifier,
            Writes writes) {

        SyncResult result() {
            return writes.result();
        }

        /** Returns whether an agent belongs to the source by an entry. */
        boolean claims(String agentId) {
            return entries.containsKey(agentId) && entries.get(agentId).claimsAgent();
        }
    }

    /**
     * The result of reading one listing.
     *
     * @param declaration the declaration; empty if the listing says that its card is unchanged
     * @param observation the observation of the card's declaration; empty without a card
     */
    private record Found(Offer offer, Optional<Declaration> declaration, Optional<Observation> observation) {

        /** Returns an entry that is missing or unchanged. */
        static Found unread(Offer offer) {
            return new Found(offer, Optional.empty(), Optional.empty());
        }
    }

    private void apply(Run run) {
        Contents contents = run.contents();
        contents.skipped().forEach(run.result()::skipped);
        run.result().count(SyncResult.DELETED, contents.removed().size());
        contents.notes().forEach(run.result()::error);
        contents.failures().forEach(run.result()::failed);
        Set<String> unread = new HashSet<>();
        Map<Offer, Found> read = new HashMap<>();
        List<Offer> offers = new ArrayList<>();
        List<Listing> listings = contents.listings();
        Map<String, Found> found = found(run, listings);
        for (Listing listing : listings) {
            if (!found.containsKey(listing.identifier())) {
                unread.add(listing.agentId());
                continue;
            }
            Offer offer = found.get(listing.identifier()).offer();
            offers.add(offer);
            read.put(offer, found.get(listing.identifier()));
        }
        if (run.source().kind().equals(Optional.of(SourceKind.AGENT_HEALTH))) {
            unread.addAll(stillRegistered(run, offers));
        }
        List<SyncStep> steps =
                SyncRule.plan(new Reading(offers, unread, contents.removed(), contents.whole()), known(run, offers));
        Waiting.onAll(
                steps,
                step -> {
                    take(run, step, read.getOrDefault(step.offer(), Found.unread(step.offer())));
                    return step;
                },
                executor);
    }

    /**
     * Returns the results by identifiers. Listings that need no read come first, and the others in random order. So with little time, each listing
     * has its turn in some sync.
     */
    private Map<String, Found> found(Run run, List<Listing> listings) {
        List<Listing> order = new ArrayList<>(listings);
        Collections.shuffle(order);
        order.sort(Comparator.comparing(listing -> listing.card().isEmpty()));
        Map<String, Found> found = new ConcurrentHashMap<>();
        Waiting.onAll(
                order,
                listing -> {
                    found(run, listing).ifPresent(one -> found.put(listing.identifier(), one));
                    return listing;
                },
                executor);
        return found;
    }

    /** Returns the offer of a listing; empty if it could not be read, or is not imported. A registered agent then stays unchanged. */
    private Optional<Found> found(Run run, Listing listing) {
        boolean registered = run.claims(listing.agentId());
        boolean requireSignature = run.source().requireSignature();
        String dated = listing.datedDigest(requireSignature);
        if (registered
                && !dated.isEmpty()
                && run.entries().get(listing.agentId()).digest().equals(dated)) {
            return Optional.of(Found.unread(new Offer(listing.identifier(), listing.agentId(), dated)));
        }
        if (listing.card().isEmpty() && run.reads().isOver()) {
            run.result().postponed();
            return Optional.empty();
        }
        try {
            JsonNode card =
                    listing.card().orElseGet(() -> run.reads().get(listing.url(), DocumentClient.MAX_CARD_BYTES));
            Optional<Declaration> declaration = listing.declaration(card);
            if (declaration.isEmpty()) {
                run.result().skipped(new SyncState.Skipped(listing.identifier(), listing.skipReason(card)));
                return Optional.empty();
            }
            CardSignature signature = requireSignature
                    ? listing.signature(card, declaration.get().endpoint(), run.verifier())
                    : CardSignature.VALID;
            if (signature != CardSignature.VALID) {
                refuse(run, listing, signature, registered);
                return Optional.empty();
            }
            String digest = dated.isEmpty() ? Declaration.digest(card) : dated;
            return Optional.of(new Found(
                    new Offer(listing.identifier(), listing.agentId(), digest),
                    declaration,
                    listing.observation(card)));
        } catch (UnansweredException e) {
            if (run.reads().isOver()) {
                run.result().postponed();
            } else {
                run.result().failed(e.getMessage());
            }
            return Optional.empty();
        } catch (UnreadableSourceException e) {
            run.result().failed(listing.identifier() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Refuses a listing. If there was no time, the keys of its host were not read. */
    private void refuse(Run run, Listing listing, CardSignature signature, boolean registered) {
        if (run.reads().isOver()) {
            run.result().postponed();
        } else {
            run.result().refused(listing, signature, registered);
        }
    }

    /** Returns the agents that another registry still has although it does not list them now. It lists only agents that can be called. */
    private Set<String> stillRegistered(Run run, List<Offer> offers) {
        Set<String> offered = new HashSet<>();
        offers.forEach(offer -> offered.add(offer.agentId()));
        List<ImportedEntry> absent = run.entries().values().stream()
                .filter(entry -> !offered.contains(entry.agentId()) && entry.claimsAgent())
                .toList();
        Set<String> registered = new HashSet<>();
        Waiting.onAll(absent, entry -> exists(run, entry) ? entry.agentId() : "", executor)
                .forEach(registered::add);
        return registered;
    }

    private boolean exists(Run run, ImportedEntry entry) {
        try {
            return run.reads().isOver()
                    || run.reads()
                            .exists(SourceReader.healthAddress(run.source().url(), entry.identifier()));
        } catch (UnreadableSourceException e) {
            run.result().error(e.getMessage());
            return true;
        }
    }

    private Known known(Run run, List<Offer> offers) {
        List<String> unknown = offers.stream()
                .map(Offer::agentId)
                .filter(agentId -> !run.claims(agentId))
                .distinct()
                .toList();
        Set<String> own = ConcurrentHashMap.newKeySet();
        Map<String, String> others = new ConcurrentHashMap<>();
        Waiting.onAll(
                agents.profiles(unknown.stream()).keySet(),
                agentId -> {
                    agents.find(agentId).ifPresent(agent -> {
                        Optional<String> reason = imported.conflict(run.source(), run.key(), agent);
                        reason.ifPresent(words -> others.put(agentId, words));
                        if (reason.isEmpty() && !agent.pulse().status().hasEnded()) {
                            own.add(agentId);
                        }
                    });
                    return agentId;
                },
                executor);
        return new Known(run.entries(), own, others);
    }

    /**
     * Returns whether this source registered an agent, but has no entry for it: the sync was stopped before it wrote the entry, or the source was
     * deleted.
     */
    private boolean isOwn(Run run, String agentId) {
        return agents.find(agentId)
                .filter(agent -> !agent.pulse().status().hasEnded())
                .filter(agent ->
                        imported.conflict(run.source(), run.key(), agent).isEmpty())
                .isPresent();
    }

    private void take(Run run, SyncStep step, Found found) {
        SyncResult result = run.result();
        if (!step.reason().isEmpty()) {
            result.conflict(step.offer(), step.reason());
        } else if (run.writes().dryRun()) {
            check(run, step, found.declaration());
        } else if (!step.writes()) {
            result.done(step.action(), step.offer());
        } else if (clock.instant().isAfter(run.writes().until())) {
            result.postponed();
        } else {
            try {
                ImportedEntry entry = imported.apply(run.source(), run.key(), step, found.declaration());
                // The observation comes before the entry. A sync that is stopped here observes the card again.
                found.observation()
                        .ifPresent(seen -> imported.observed(step.offer().agentId(), seen));
                sources.note(run.source().name(), entry);
                result.done(step.action(), step.offer());
            } catch (ConflictingAgentException e) {
                // Another sync of this source may have registered the agent a moment ago.
                if (isOwn(run, step.offer().agentId())) {
                    result.done(SyncAction.UNCHANGED, step.offer());
                } else {
                    result.conflict(step.offer(), e.getMessage());
                    if (step.action() == SyncAction.DEREGISTERED) {
                        sources.note(
                                run.source().name(),
                                ImportedEntry.of(step.offer()).missed(SyncRule.MISSED_TO_DEREGISTER));
                    }
                }
            } catch (UnreadableSourceException e) {
                result.failed(step.offer().identifier() + ": " + e.getMessage());
            } catch (StorageBusyException e) {
                result.postponed();
            }
        }
    }

    /** Records the result of a dry run. A registration that would be refused is also refused here. */
    private void check(Run run, SyncStep step, Optional<Declaration> declaration) {
        try {
            if (step.action() == SyncAction.REGISTERED) {
                imported.check(run.source(), run.key(), step.offer(), declaration.orElseThrow());
            }
            run.result().done(step.action(), step.offer());
        } catch (UnreadableSourceException e) {
            run.result().failed(step.offer().identifier() + ": " + e.getMessage());
        }
    }
}
