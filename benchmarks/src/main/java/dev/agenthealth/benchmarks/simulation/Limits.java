package dev.agenthealth.benchmarks.simulation;

/**
 * What limits the deployed system.
 *
 * @param apiRate requests a second on the route of heartbeats; {@code ThrottlingRateLimit} of the template, and at most the account's quota
 *     (10,000 by default: API Gateway, "Quotas", throttle per account and Region)
 * @param apiBurst likewise; the account's quota is 5,000 by default
 * @param concurrency execution environments of the account (1,000 by default: Lambda, "Quotas")
 * @param environmentsPerSecond new execution environments of a function (1,000 every 10 s, which do not accumulate: Lambda, "Lambda scaling
 *     behavior")
 * @param occupiedSeconds for which a request keeps an environment from another one: 0.1 at least, as an environment serves at most 10 requests a
 *     second (Lambda, "Understanding Lambda function scaling")
 * @param restoreSeconds before the first request of a new environment; assumed, as AWS publishes no figure
 * @param tableUnits write units a second of a table at the start: what it is warmed for, or 4,000 (DynamoDB, "Warm throughput")
 * @param maxTableUnits the ceiling: {@code OnDemandThroughput} of the template, and at most the account's quota (40,000 a table by default)
 * @param partitionUnits write units a second of a partition: 1,000 (DynamoDB, "Partitions")
 * @param publishedPerShard events a second that the publisher sends from one shard of the stream; assumed: batches of 100 in 120 ms
 * @param busEvents entries a second of {@code PutEvents} (10,000 in the largest Regions: EventBridge, "Quotas")
 */
record Limits(
        double apiRate,
        double apiBurst,
        double concurrency,
        double environmentsPerSecond,
        double occupiedSeconds,
        double restoreSeconds,
        double tableUnits,
        double maxTableUnits,
        double partitionUnits,
        double publishedPerShard,
        double busEvents) {

    /** {@code FleetSize=small} in an account with the default quotas, tables not warmed. */
    static final Limits SMALL = new Limits(4_000, 4_000, 1_000, 100, 0.1, 0.3, 4_000, 10_000, 1_000, 833, 10_000);

    /** {@code FleetSize=large}, tables warmed, with the account's quotas raised to what the template asks for. */
    static final Limits LARGE = new Limits(40_000, 40_000, 5_000, 100, 0.1, 0.3, 40_000, 40_000, 1_000, 833, 10_000);

    /** The limits by which to change the template and the quotas for ten million agents that send a heartbeat each. */
    static final Limits RAISED =
            new Limits(400_000, 400_000, 40_000, 100, 0.1, 0.3, 400_000, 400_000, 1_000, 833, 10_000);

    /** The same limits for a fleet of which each simulated agent stands for {@code factor}. */
    Limits dividedBy(double factor) {
        return new Limits(
                apiRate / factor,
                apiBurst / factor,
                concurrency / factor,
                environmentsPerSecond / factor,
                occupiedSeconds,
                restoreSeconds,
                tableUnits / factor,
                maxTableUnits / factor,
                partitionUnits / factor,
                publishedPerShard / factor,
                busEvents / factor);
    }

    Limits withApi(double rate) {
        return new Limits(
                rate,
                rate,
                concurrency,
                environmentsPerSecond,
                occupiedSeconds,
                restoreSeconds,
                tableUnits,
                maxTableUnits,
                partitionUnits,
                publishedPerShard,
                busEvents);
    }

    Limits withLambda(double environments, double perSecond) {
        return new Limits(
                apiRate,
                apiBurst,
                environments,
                perSecond,
                occupiedSeconds,
                restoreSeconds,
                tableUnits,
                maxTableUnits,
                partitionUnits,
                publishedPerShard,
                busEvents);
    }

    Limits withTable(double units, double max) {
        return new Limits(
                apiRate,
                apiBurst,
                concurrency,
                environmentsPerSecond,
                occupiedSeconds,
                restoreSeconds,
                units,
                max,
                partitionUnits,
                publishedPerShard,
                busEvents);
    }

    Limits withBus(double events) {
        return new Limits(
                apiRate,
                apiBurst,
                concurrency,
                environmentsPerSecond,
                occupiedSeconds,
                restoreSeconds,
                tableUnits,
                maxTableUnits,
                partitionUnits,
                publishedPerShard,
                events);
    }
}
