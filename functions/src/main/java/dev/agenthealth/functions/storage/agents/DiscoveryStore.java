package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.functions.storage.dynamo.BatchReads;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.StatusShard;
import dev.agenthealth.model.identity.Ids;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Finds agents by capability, role, status and free capacity without ever scanning a table.
 *
 * <p>Living agents of a capability or role are found by their discovery tags, all others by the status indexes. A page ends when
 * it is full or when {@link #MAX_CANDIDATES} agents were looked at, so that no question can cost more than that; it may hold
 * fewer agents than the limit, or none, and still be followed by another. Thread-safe.
 */
public final class DiscoveryStore {

    /** The most agents one page looks at. */
    public static final int MAX_CANDIDATES = 1_000;

    private static final int MAX_AT_ONCE = 100;
    private static final int MIN_AT_ONCE = 10;

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final BatchReads reads;
    private final Clock clock;

    public DiscoveryStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.reads = new BatchReads(dynamoDb, retries);
        this.clock = clock;
    }

    /**
     * Where a listing goes on.
     *
     * @param leg number of the leg
     * @param agentId the last agent looked at; empty at the beginning of a leg
     */
    public record Cursor(int leg, String agentId) {

        /** The beginning of a listing. */
        public static final Cursor START = new Cursor(0, "");

        private static final Pattern TEXT = Pattern.compile("\\d{1,3}:[A-Za-z0-9._:-]{0," + Ids.MAX_LENGTH + "}");

        /** Whether a text is one that {@link #text()} made. */
        public static boolean isText(String text) {
            return TEXT.matcher(text).matches();
        }

        /** The cursor of such a text; {@link #START} for an empty one. */
        public static Cursor ofText(String text) {
            if (text.isEmpty()) {
                return START;
            }
            int colon = text.indexOf(':');
            return new Cursor(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1));
        }

        /** The cursor as a text. */
        public String text() {
            return leg + ":" + agentId;
        }
    }

    /**
     * A page of a listing.
     *
     * @param agents without metadata and tasks
     * @param next where the next page begins; empty at the end
     */
    public record Page(List<StoredAgent> agents, Optional<Cursor> next) {}

    /** Up to {@code limit} agents from {@code cursor} on, which must come from a page of the same query. */
    public Page page(DiscoveryQuery query, int limit, Cursor cursor) {
        return page(query, limit, cursor, agent -> true);
    }

    /**
     * The same, as long as there is room.
     *
     * @param room takes each agent in turn; the page ends before the first one for which there is none
     */
    public Page page(DiscoveryQuery query, int limit, Cursor cursor, Predicate<StoredAgent> room) {
        List<CandidateLeg> legs = legs(query);
        List<StoredAgent> found = new ArrayList<>();
        int looked = 0;
        int fewest = MIN_AT_ONCE;
        int leg = cursor.leg();
        String after = cursor.agentId();
        while (leg < legs.size()) {
            if (found.size() == limit || looked >= MAX_CANDIDATES) {
                return new Page(found, Optional.of(new Cursor(leg, after)));
            }
            int most = Math.min(MAX_AT_ONCE, Math.max(fewest, limit - found.size()));
            // Where few match, looking for them in small steps would take many requests.
            fewest = Math.min(MAX_AT_ONCE, 2 * fewest);
            CandidateLeg.Candidates candidates = legs.get(leg).after(after, most);
            looked += candidates.itemsRead();
            for (StoredAgent agent : matching(query, legs.get(leg), candidates)) {
                if (!room.test(agent)) {
                    return new Page(found, Optional.of(new Cursor(leg, after)));
                }
                found.add(agent);
                after = agent.pulse().agentId();
                if (found.size() == limit && !isLast(agent, candidates)) {
                    return new Page(found, Optional.of(new Cursor(leg, after)));
                }
            }
            after = candidates.more() ? candidates.readUpTo() : "";
            leg = candidates.more() ? leg : leg + 1;
        }
        return new Page(found, Optional.empty());
    }

    private static boolean isLast(StoredAgent agent, CandidateLeg.Candidates candidates) {
        List<String> ids = candidates.agentIds();
        return agent.pulse().agentId().equals(ids.get(ids.size() - 1));
    }

    private List<StoredAgent> matching(DiscoveryQuery query, CandidateLeg leg, CandidateLeg.Candidates candidates) {
        Map<String, Pulse> pulses = new HashMap<>(candidates.pulses());
        List<String> unread = candidates.agentIds().stream()
                .filter(id -> !pulses.containsKey(id))
                .toList();
        reads.get(tables.pulses(), unread.stream().map(PulseItem::key).toList()).stream()
                .filter(row -> !PulseItem.isCanary(row))
                .map(PulseItem::read)
                .forEach(pulse -> pulses.put(pulse.agentId(), pulse));
        List<String> wanted = candidates.agentIds().stream()
                .filter(id ->
                        pulses.containsKey(id) && leg.finds(pulses.get(id).status()) && query.matches(pulses.get(id)))
                .toList();
        Map<String, Map<String, AttributeValue>> items = profileItems(wanted);
        List<StoredAgent> agents = new ArrayList<>(wanted.size());
        for (String id : wanted) {
            Map<String, AttributeValue> item = items.getOrDefault(id, Map.of());
            AgentProfile profile = ProfileItem.read(id, item, Map.of());
            if (!item.isEmpty() && query.matches(profile)) {
                boolean buried = candidates.pulses().containsKey(id);
                agents.add(new StoredAgent(pulses.get(id), profile, List.of(), buried, ProfileItem.revision(item)));
            }
        }
        return agents;
    }

    private Map<String, Map<String, AttributeValue>> profileItems(List<String> agentIds) {
        Map<String, Map<String, AttributeValue>> items = new HashMap<>();
        List<Map<String, AttributeValue>> keys =
                agentIds.stream().map(RegistryKeys::profile).toList();
        for (Map<String, AttributeValue> item : reads.get(tables.registry(), keys)) {
            if (!RegistryKeys.isExpired(item, clock.instant())) {
                items.put(Values.text(item, RegistryKeys.PK).substring("A#".length()), item);
            }
        }
        return items;
    }

    private List<CandidateLeg> legs(DiscoveryQuery query) {
        List<CandidateLeg> legs = new ArrayList<>();
        boolean byTags = !query.capabilities().isEmpty() || !query.roleIds().isEmpty();
        if (query.asksForLiving() && byTags) {
            List<String> partitions = query.capabilities().isEmpty()
                    ? new TreeSet<>(query.roleIds())
                            .stream().map(RegistryKeys::role).toList()
                    : new TreeSet<>(query.capabilities())
                            .stream().map(RegistryKeys::capability).toList();
            legs.add(new CandidateLeg.ByTags(dynamoDb, retries, tables.registry(), partitions, query));
        }
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (!query.statuses().contains(status) || status == LifecycleStatus.REGISTERING) {
                continue;
            }
            if (status.isGone() || !byTags) {
                StatusShard.all(status).forEach(shard -> legs.add(livingOrUnburied(status, shard)));
            }
            if (status.isGone()) {
                StatusShard.all(status).forEach(shard -> legs.add(buried(status, shard)));
            }
        }
        return legs;
    }

    private CandidateLeg livingOrUnburied(LifecycleStatus status, String shard) {
        return new CandidateLeg.ByIndex(
                dynamoDb,
                retries,
                status,
                tables.pulses(),
                "by-status",
                PulseItem.STATUS_SHARD,
                shard,
                PulseItem.ID,
                false);
    }

    private CandidateLeg buried(LifecycleStatus status, String shard) {
        return new CandidateLeg.ByIndex(
                dynamoDb,
                retries,
                status,
                tables.registry(),
                "feed",
                RegistryKeys.FEED_PK,
                TombstoneItem.feedPartition(shard),
                RegistryKeys.FEED_SK,
                true);
    }
}
