package dev.agenthealth.benchmarks.simulation;

/** The limits of the deployed system. */
record Limits(Api api, Functions functions, Table table, Feed feed, Events events) {

    /** The limits of {@code FleetSize=small} in an account with the default quotas; the tables are not warmed. */
    static final Limits SMALL = new Limits(
            new Api(4_000, 4_000),
            new Functions(1_000, 100, 0.1, 0.3),
            new Table(4_000, 10_000, 1_000),
            new Feed(4, 1_000),
            new Events(833, 10_000));

    /** The limits of {@code FleetSize=large}, with warmed tables and the account's quotas raised to the template's requirements. */
    static final Limits LARGE = new Limits(
            new Api(40_000, 40_000),
            new Functions(5_000, 100, 0.1, 0.3),
            new Table(40_000, 40_000, 1_000),
            new Feed(32, 1_000),
            new Events(833, 10_000));

    /** The limits that ten million agents, each with a heartbeat per interval, need from the template and the quotas. */
    static final Limits RAISED = new Limits(
            new Api(400_000, 400_000),
            new Functions(40_000, 100, 0.1, 0.3),
            new Table(400_000, 400_000, 1_000),
            new Feed(32, 1_000),
            new Events(833, 10_000));

    /**
     * The limits of the API.
     *
     * @param rate requests per second on the route of heartbeats; {@code ThrottlingRateLimit} of the template, and at most the account's
     *     quota (10,000 by default: API Gateway, "Quotas", throttle per account and Region)
     * @param burst the burst on the same route; the account's quota is 5,000 by default
     */
    record Api(double rate, double burst) {}

    /**
     * The limits of Lambda.
     *
     * @param concurrency execution environments of the account (1,000 by default: Lambda, "Quotas")
     * @param newPerSecond new execution environments of a function (1,000 every 10 s, which do not accumulate: Lambda, "Lambda scaling
     *     behavior")
     * @param occupiedSeconds the time for which a request occupies an environment: 0.1 at least, since an environment serves at most 10
     *     requests per second (Lambda, "Understanding Lambda function scaling")
     * @param restoreSeconds the time before the first request of a new environment; assumed, since AWS publishes no figure
     */
    record Functions(double concurrency, double newPerSecond, double occupiedSeconds, double restoreSeconds) {}

    /**
     * The limits of a table.
     *
     * @param units write units per second at the start: its warm throughput, or 4,000 (DynamoDB, "Warm throughput")
     * @param maxUnits the ceiling: {@code OnDemandThroughput} of the template, and at most the account's quota (40,000 per table by
     *     default)
     * @param partitionUnits write units per second of a partition: 1,000 (DynamoDB, "Partitions")
     */
    record Table(double units, double maxUnits, double partitionUnits) {}

    /**
     * The limits of the index with the feed of events. A refused entry refuses the write of the event, and with it the change.
     *
     * @param shards partitions to which the events of an hour are written
     * @param shardUnits write units per second of a shard: 1,000 (DynamoDB, "Partitions"), and nothing is saved up, as each hour has new partitions
     */
    record Feed(int shards, double shardUnits) {}

    /**
     * The limits of events on their way to the bus.
     *
     * @param perShard events per second that the publisher sends from one shard of the stream; assumed: batches of 100 in 120 ms
     * @param onBus entries per second of {@code PutEvents} (10,000 in the largest Regions: EventBridge, "Quotas")
     */
    record Events(double perShard, double onBus) {}

    /** Returns a copy for a fleet in which each simulated agent stands for {@code factor} agents. */
    Limits dividedBy(double factor) {
        return new Limits(
                new Api(api.rate / factor, api.burst / factor),
                new Functions(
                        functions.concurrency / factor,
                        functions.newPerSecond / factor,
                        functions.occupiedSeconds,
                        functions.restoreSeconds),
                new Table(table.units / factor, table.maxUnits / factor, table.partitionUnits / factor),
                new Feed(feed.shards, feed.shardUnits / factor),
                new Events(events.perShard / factor, events.onBus / factor));
    }

    Limits withApi(double rate) {
        return new Limits(new Api(rate, rate), functions, table, feed, events);
    }

    Limits withFunctions(double concurrency, double newPerSecond) {
        return new Limits(
                api,
                new Functions(concurrency, newPerSecond, functions.occupiedSeconds, functions.restoreSeconds),
                table,
                feed,
                events);
    }

    Limits withTable(double units, double max) {
        return new Limits(api, functions, new Table(units, max, table.partitionUnits), feed, events);
    }

    Limits withFeed(int shards) {
        return new Limits(api, functions, table, new Feed(shards, feed.shardUnits), events);
    }

    Limits withBus(double entries) {
        return new Limits(api, functions, table, feed, new Events(events.perShard, entries));
    }
}
