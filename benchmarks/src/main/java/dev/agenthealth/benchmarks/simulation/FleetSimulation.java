package dev.agenthealth.benchmarks.simulation;

import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * A run of the simulation. Agents send heartbeats through API, Lambda and table, and retry refused heartbeats with full jitter, as the
 * client library does. Events are handled in the order of their time; events of the same time in the order of their creation.
 */
final class FleetSimulation {

    private static final double FIRST_RETRY_SECONDS = 1;
    private static final int MAX_DOUBLINGS = 20;

    /** The time for which the function retries a throttled write, and the longest first wait: {@code storage.dynamo.Retries}. */
    private static final double WRITE_RETRIES_SECONDS = 2;

    private static final double FIRST_WRITE_RETRY_SECONDS = 0.05;

    /**
     * The growth up to which an on-demand table does not throttle: twice its previous peak within 30 minutes (DynamoDB, "On-demand capacity
     * mode"). A table often grows earlier, but the simulation does not rely on that.
     */
    private static final double PEAK_FACTOR = 2;

    private static final int GROWTH_SECONDS = 1_800;

    /** The unused capacity that a partition keeps, in seconds (DynamoDB, "Burst and adaptive capacity"). */
    private static final double BURST_SECONDS = 300;

    private static final Instant START = Instant.parse("2026-02-08T06:00:00Z");

    private final Scenario scenario;
    private final Limits limits;
    private final double each;
    private final int agents;
    private final SplittableRandom random;
    private final HeartbeatSchedule schedule = HeartbeatSchedule.AS_DECLARED;
    private final Pulse pulse;
    private final PriorityQueue<Event> events = new PriorityQueue<>();

    private final TokenBucket api;
    private final Environments environments;
    private final TokenBucket table;
    private final TokenBucket[] partitions;
    private final TokenBucket[] feed;
    private final EventQueue bus;

    private final int[] failures;
    private final double[] returnedAt;
    private final long[] requestsOfSecond;
    private final long[] refusedOfSecond;
    private final double[] unitsOfSecond;
    private final Map<Stage, Double> refused = new EnumMap<>(Stage.class);
    private long created;
    private long sent;
    private long accepted;
    private Optional<Stage> first = Optional.empty();
    private double firstAt;
    private double tablePeak;

    private FleetSimulation(Scenario scenario, Limits whole, long seed) {
        this.scenario = scenario;
        this.each = scenario.agentsEach();
        this.limits = whole.dividedBy(each);
        this.agents = (int) (scenario.agents() / each);
        this.random = new SplittableRandom(seed);
        int interval = scenario.intervalSeconds();
        this.pulse = RegistrationRule.first(
                "agent",
                new HeartbeatConfig(interval, 3 * interval, 10 * interval),
                1,
                Coordination.NONE,
                Owner.NONE,
                START);
        this.api = new TokenBucket(limits.api().rate(), limits.api().burst());
        this.environments = new Environments(limits);
        this.table = new TokenBucket(limits.table().units(), limits.table().units());
        int number = (int)
                Math.max(1, Math.ceil(whole.table().maxUnits() / whole.table().partitionUnits()));
        this.partitions = new TokenBucket[number];
        Arrays.setAll(
                partitions,
                i -> new TokenBucket(
                        limits.table().partitionUnits(),
                        BURST_SECONDS * limits.table().partitionUnits()));
        this.feed = new TokenBucket[limits.feed().shards()];
        // A bucket holds at least one event, also if a simulated agent stands for many agents.
        Arrays.setAll(
                feed,
                i -> new TokenBucket(
                        limits.feed().shardUnits(),
                        Math.max(Scenario.FEED_UNITS, limits.feed().shardUnits())));
        this.bus = new EventQueue(
                Math.min(limits.events().onBus(), number * limits.events().perShard()));
        this.failures = new int[agents];
        this.returnedAt = new double[agents];
        Arrays.fill(returnedAt, Double.POSITIVE_INFINITY);
        this.requestsOfSecond = new long[scenario.seconds() + 1];
        this.refusedOfSecond = new long[scenario.seconds() + 1];
        this.unitsOfSecond = new double[scenario.seconds() + 1];
    }

    private enum Kind {
        SEND,
        WRITE,
        RELEASE,
        SECOND
    }

    /**
     * An event of the simulation.
     *
     * @param begun the time at which the request reached the function; for a release, the time at which its environment was taken
     * @param tries earlier writes of the request
     */
    private record Event(double at, long order, Kind kind, int agent, double begun, int tries)
            implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Runs a scenario. */
    static Outcome run(Scenario scenario, Limits limits, long seed) {
        return new FleetSimulation(scenario, limits, seed).run();
    }

    private Outcome run() {
        for (int agent = 0; agent < agents; agent++) {
            add(random.nextDouble() * scenario.returnSeconds(), Kind.SEND, agent, 0, 0);
        }
        for (int second = 1; second <= scenario.seconds(); second++) {
            add(second, Kind.SECOND, second, 0, 0);
        }
        while (!events.isEmpty() && events.peek().at() <= scenario.seconds()) {
            Event event = events.remove();
            switch (event.kind()) {
                case SEND -> send(event);
                case WRITE -> write(event);
                case RELEASE -> environments.release(event.at() - event.begun());
                case SECOND -> second(event.agent());
            }
        }
        return outcome();
    }

    private void add(double at, Kind kind, int agent, double begun, int tries) {
        events.add(new Event(at, created++, kind, agent, begun, tries));
    }

    private void send(Event event) {
        sent++;
        requestsOfSecond[(int) event.at()]++;
        if (!api.take(1, event.at())) {
            refuse(event, Stage.API);
            return;
        }
        switch (environments.admit(event.at())) {
            case REFUSED -> refuse(event, Stage.LAMBDA);
            case NEW -> add(event.at() + limits.functions().restoreSeconds(), Kind.WRITE, event.agent(), event.at(), 0);
            case WARM -> write(new Event(event.at(), event.order(), Kind.WRITE, event.agent(), event.at(), 0));
        }
    }

    private void write(Event event) {
        double now = event.at();
        boolean returns = returnedAt[event.agent()] == Double.POSITIVE_INFINITY;
        double units = returns ? scenario.firstUnits() : 1;
        Optional<Stage> throttled = Optional.empty();
        if (!partitions[event.agent() % partitions.length].take(units, now)) {
            throttled = Optional.of(Stage.PARTITION);
        } else if (!table.take(units, now)) {
            throttled = Optional.of(Stage.TABLE);
        } else if (returns && !toFeed(event.agent(), now)) {
            throttled = Optional.of(Stage.FEED);
        }
        if (throttled.isEmpty()) {
            unitsOfSecond[(int) now] += units;
            accept(event, returns);
            return;
        }
        noteFirst(throttled.get(), now);
        double wait = random.nextDouble() * FIRST_WRITE_RETRY_SECONDS * (1L << Math.min(event.tries(), MAX_DOUBLINGS));
        if (now + wait - event.begun() <= WRITE_RETRIES_SECONDS) {
            add(now + wait, Kind.WRITE, event.agent(), event.begun(), event.tries() + 1);
        } else {
            release(event);
            refuse(event, throttled.get());
        }
    }

    /** Writes the events of an agent's return to the agent's shard. */
    private boolean toFeed(int agent, double now) {
        return feed[agent % feed.length].take(Scenario.FEED_UNITS * scenario.firstEvents(), now);
    }

    private void accept(Event event, boolean returns) {
        double now = event.at();
        accepted++;
        failures[event.agent()] = 0;
        if (returns) {
            returnedAt[event.agent()] = now;
            bus.add(scenario.firstEvents(), now);
        }
        release(event);
        double next = scenario.obeysNext()
                ? schedule.nextInSeconds(pulse, "agent-" + event.agent(), START.plusNanos((long) (now * 1e9)))
                : scenario.intervalSeconds();
        add(now + next, Kind.SEND, event.agent(), 0, 0);
    }

    private void release(Event event) {
        double end = Math.max(event.at(), event.begun() + limits.functions().occupiedSeconds());
        add(end, Kind.RELEASE, event.agent(), event.begun(), 0);
    }

    private void refuse(Event event, Stage stage) {
        double now = event.at();
        noteFirst(stage, now);
        refused.merge(stage, 1.0, Double::sum);
        refusedOfSecond[(int) now]++;
        int failed = failures[event.agent()]++;
        double most =
                Math.min(scenario.intervalSeconds(), FIRST_RETRY_SECONDS * (1L << Math.min(failed, MAX_DOUBLINGS)));
        add(now + random.nextDouble() * most, Kind.SEND, event.agent(), 0, 0);
    }

    private void noteFirst(Stage stage, double now) {
        if (first.isEmpty()) {
            first = Optional.of(stage);
            firstAt = now;
        }
    }

    private void second(int number) {
        tablePeak = Math.max(tablePeak, unitsOfSecond[number - 1]);
        double grown = Math.min(limits.table().maxUnits(), PEAK_FACTOR * tablePeak);
        if (number % GROWTH_SECONDS == 0 && grown > table.rate()) {
            table.raise(grown);
        }
    }

    private Outcome outcome() {
        double[] returned = returnedAt.clone();
        Arrays.sort(returned);
        int from = scenario.seconds() * 2 / 3;
        long steady = Arrays.stream(requestsOfSecond, from, scenario.seconds()).sum();
        long most =
                Arrays.stream(requestsOfSecond, from, scenario.seconds()).max().orElse(0);
        long steadyRefused =
                Arrays.stream(refusedOfSecond, from, scenario.seconds()).sum();
        Map<Stage, Double> all = new EnumMap<>(Stage.class);
        refused.forEach((stage, number) -> all.put(stage, number * each));
        double answered =
                accepted + refused.values().stream().mapToDouble(n -> n).sum();
        return new Outcome(
                sent * each,
                accepted * each,
                all,
                (sent - answered) * each,
                first,
                firstAt,
                returned[(int) Math.ceil(0.99 * agents) - 1],
                returned[agents - 1],
                steady == 0 ? 0 : steadyRefused / (double) steady,
                steady == 0 ? 0 : most * (double) (scenario.seconds() - from) / steady,
                environments.busySeconds() * each / scenario.seconds(),
                bus.longest());
    }
}
