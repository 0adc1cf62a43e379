package dev.agenthealth.functions.storage.events;

import static dev.agenthealth.functions.storage.dynamo.Values.moment;
import static dev.agenthealth.functions.storage.dynamo.Values.n;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.Condition;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.model.health.availability.StatusChange;
import dev.agenthealth.model.health.availability.VerdictChange;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the event logs: the log of an agent or intent, and the system-wide feed (RFC-0016 §2.3). Thread-safe. */
public final class EventStore {

    /** The delay of the system-wide feed, so that no event appears before the position of a reader. */
    public static final Duration LAG = FeedPosition.LAG;

    private static final int FEED_THREADS = 8;

    private static final String ROLE_ID = "role_id";

    /** The maximum number of events that are read for a page whose filters exclude most events. */
    private static final int MAX_FILTERED = 1_000;

    private static final int MIN_PAGE = 100;

    /** The maximum number of an agent's events that are read for the changes of its status. */
    static final int MAX_READ = 1_000;

    private static final int PAGE_OF_CHANGES = 100;

    /** The maximum time by which an event may be detected before an event with a smaller number. */
    private static final Duration MAX_DISORDER = Duration.ofMinutes(10);

    private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59Z");

    private final Database database;
    private final Feed feed;

    /** Returns a store whose reader uses threads of its own for the shards of the feed. */
    public static EventStore ofSystem(Wiring wiring, Database database) {
        return new EventStore(database, wiring.storageMeter().propagating(DaemonThreads.pool(FEED_THREADS, "feed")));
    }

    /** Creates a store that reads the shards of the feed one after the other. */
    public EventStore(Database database) {
        this(database, Runnable::run);
    }

    private EventStore(Database database, Executor executor) {
        this.database = database;
        this.feed = new Feed(database.registry(), executor);
    }

    /** Returns the time for which an event can be read. */
    public Duration retention() {
        return database.eventRetention();
    }

    /**
     * A page of the events of the whole system, oldest first. Unlike a {@link ListPage}, it has a position at its end also if nothing follows yet.
     *
     * @param details the details of the events
     * @param position the position after the last event that was read, at which a later read continues
     * @param more whether more events follow
     */
    public record FeedPage(List<JsonNode> details, String position, boolean more) {}

    /**
     * The position and the size of a page.
     *
     * @param position the end of an earlier page; empty for the beginning
     * @param since excludes events that were detected before this moment
     * @param limit the maximum number of events
     * @param room takes each event in turn and returns whether it fits; the page ends before the first event that does not fit
     */
    public record Asked(String position, Instant since, int limit, Predicate<JsonNode> room) {

        /** Returns a request for the first events from this moment on. */
        public static Asked first(Instant since, int limit) {
            return new Asked("", since, limit, detail -> true);
        }
    }

    /** Returns the events of an agent, oldest first. */
    public ListPage<JsonNode> ofAgent(String agentId, Asked asked) {
        return ofLog(ItemKind.AGENT_EVENT.partition(agentId), asked, Optional.empty(), detail -> true);
    }

    /**
     * Returns the events of the leases of an intent, oldest first.
     *
     * @param caller excludes events of agents that this caller may not see
     */
    public ListPage<JsonNode> ofIntent(String intentId, Caller caller, Asked asked) {
        Optional<Caller> owner = Optional.of(caller).filter(one -> !one.mayListAgents());
        return ofLog(
                ItemKind.LEASE_EVENT.partition(intentId), asked, owner, detail -> isOfRole(detail, caller.roleIds()));
    }

    /** Returns whether an event is of one of the roles. An event that names no role, such as an event of the registry, is of none. */
    public static boolean isOfRole(JsonNode detail, Set<String> roleIds) {
        return roleIds.isEmpty() || roleIds.contains(detail.path(ROLE_ID).asText());
    }

    /**
     * Returns the changes of an agent's status from a moment on, as of now. The result may contain some earlier changes. Reads the agent's
     * log from the end, up to {@value #MAX_READ} events.
     *
     * @param from not before the oldest event that can still be read
     */
    public StatusHistory statusHistory(String agentId, Instant from) {
        Query newestFirst = Query.partition(ItemKind.AGENT_EVENT.partition(agentId))
                .startingWith(ItemKind.AGENT_EVENT.prefix())
                .project(EventItem.AT, EventItem.TYPE, EventItem.DETAIL)
                .descending()
                .consistent();
        Deque<StatusChange> changes = new ArrayDeque<>();
        Deque<VerdictChange> reasons = new ArrayDeque<>();
        Instant oldest = Instant.MAX;
        int read = 0;
        for (var page : database.registry().pages(newestFirst, PAGE_OF_CHANGES)) {
            for (Map<String, AttributeValue> item : page.items()) {
                oldest = moment(item, EventItem.AT, Instant.EPOCH);
                if (oldest.isBefore(from.minus(MAX_DISORDER))) {
                    return new StatusHistory(from, false, List.copyOf(changes), List.copyOf(reasons));
                }
                EventItem.statusChange(item).ifPresent(changes::addFirst);
                VerdictChanges.of(EventItem.type(item), oldest, EventItem.detail(item))
                        .ifPresent(reasons::addFirst);
            }
            read += page.items().size();
            if (read >= MAX_READ && page.hasMore()) {
                return new StatusHistory(oldest, true, List.copyOf(changes), List.copyOf(reasons));
            }
        }
        return new StatusHistory(from, false, List.copyOf(changes), List.copyOf(reasons));
    }

    /** Reads one event more than the page has, which shows whether another event follows a full page. */
    private ListPage<JsonNode> ofLog(String partition, Asked asked, Optional<Caller> owner, Predicate<JsonNode> shown) {
        Condition wanted = Condition.atLeast(EventItem.AT, moment(storable(asked.since())))
                .and(Condition.moreThan(Attributes.EXPIRES, n(database.now().getEpochSecond())));
        Query query = Query.partition(partition)
                .startingWith(ItemKind.AGENT_EVENT.prefix(), asked.position())
                .filter(owner.map(caller -> wanted.and(EventItem.isOwnedBy(caller)))
                        .orElse(wanted))
                .consistent();
        List<JsonNode> details = new ArrayList<>();
        String place = asked.position();
        int pageSize = asked.limit() + 1;
        int read = 0;
        for (var page : database.registry().pages(query, pageSize)) {
            for (Map<String, AttributeValue> item : page.items()) {
                JsonNode detail = EventItem.detail(item);
                if (shown.test(detail)) {
                    if (details.size() == asked.limit() || !asked.room().test(detail)) {
                        return new ListPage<>(details, place);
                    }
                    details.add(detail);
                }
                place = ItemKind.AGENT_EVENT.afterPrefix(item);
            }
            read += pageSize;
            if (page.hasMore()) {
                place = ItemKind.AGENT_EVENT.afterPrefix(page.lastKey());
                if (read >= MAX_FILTERED) {
                    return new ListPage<>(details, place);
                }
            }
        }
        return new ListPage<>(details, "");
    }

    /**
     * Returns the events of the whole system, up to {@link FeedPosition#LAG} behind now.
     *
     * @param position the end of an earlier page; empty to begin at {@code since}
     * @param since not before the oldest event that can still be read; if it is in the future, nothing is found
     * @param wanted selects the events of the page, which ends after {@value #MAX_FILTERED} events were read
     * @param room takes each event in turn and returns whether it fits; the page ends before the first event that does not fit
     */
    public FeedPage ofSystem(
            String position, Instant since, int limit, Predicate<JsonNode> wanted, Predicate<JsonNode> room) {
        Instant now = database.now();
        String end = FeedPosition.beginningOf(now.minus(FeedPosition.LAG));
        String from = position.isEmpty()
                ? FeedPosition.beginningOf(since.isAfter(now) ? now : storable(since))
                : FeedPosition.bounded(position, now);
        String oldest = FeedPosition.beginningOf(now.minus(database.eventRetention()));
        String place = from.compareTo(oldest) < 0 ? oldest : from;
        List<JsonNode> details = new ArrayList<>();
        int read = 0;
        while (true) {
            int pageSize = read == 0 ? limit + 1 : Math.max(limit - details.size(), MIN_PAGE);
            ListPage<Map<String, AttributeValue>> page = feed.read(place, end, pageSize);
            for (Map<String, AttributeValue> item : page.items()) {
                JsonNode detail = Attributes.isExpired(item, now) ? MissingNode.getInstance() : EventItem.detail(item);
                if (!detail.isMissingNode() && wanted.test(detail)) {
                    if (details.size() == limit || !room.test(detail)) {
                        return new FeedPage(details, place, true);
                    }
                    details.add(detail);
                }
                place = Feed.place(item);
            }
            read += page.items().size();
            if (!page.hasMore()) {
                return new FeedPage(details, place.compareTo(end) > 0 ? place : end, false);
            }
            place = page.next();
            if (page.items().size() < pageSize || read >= MAX_FILTERED) {
                return new FeedPage(details, place, true);
            }
        }
    }

    /**
     * Returns the next events that were written in a range of time, as they are sent to the bus and in the order of writing. Expired events are left
     * out.
     *
     * @param position the end of the previous page, or {@link #beginningOf} the range
     * @param to the end of the range, exclusive; at least {@link #LAG} ago, so that no event is missed
     */
    public ListPage<LoggedEvent> written(String position, Instant to, int limit) {
        Instant now = database.now();
        ListPage<Map<String, AttributeValue>> page = feed.read(position, FeedPosition.beginningOf(to), limit);
        return page.with(page.items().stream()
                .filter(item -> !Attributes.isExpired(item, now))
                .map(EventItem::logged)
                .toList());
    }

    /** Returns the position in the system-wide feed before all events that were written at this moment or later. */
    public static String beginningOf(Instant moment) {
        return FeedPosition.beginningOf(storable(moment));
    }

    /** Limits a moment to the years 1970 to 9999, because other moments do not fit into the number of milliseconds. */
    private static Instant storable(Instant moment) {
        if (moment.isBefore(Instant.EPOCH)) {
            return Instant.EPOCH;
        }
        return moment.isAfter(END_OF_TIME) ? END_OF_TIME : moment;
    }
}
