package dev.agenthealth.functions.schedules;

import dev.agenthealth.functions.schedules.Explanation.Outcome;
import dev.agenthealth.testkit.Crash;
import dev.agenthealth.testkit.Interleavings;
import dev.agenthealth.testkit.Interleavings.Choice;
import dev.agenthealth.testkit.Interleavings.Fate;
import dev.agenthealth.testkit.Interleavings.Order;
import dev.agenthealth.testkit.MemoryDynamoDb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Runs schedules of the real handlers and compares each with the model. Two schedules differ where they begin in another way, have other operations or
 * faults, or another order of requests that conflict.
 */
final class Schedules implements AutoCloseable {

    /** So many schedules, and one of them is followed by passes of the sweep. */
    private static final int RUNS_TO_SWEEP = 7;

    private static final int MIN_OPERATIONS = 3;
    private static final int MAX_OPERATIONS = 6;

    /** A beginning, run once. */
    private record Start(Given given, MemoryDynamoDb.Contents items, LifecycleModel model, List<String> leases) {}

    private final MemoryDynamoDb memory = new MemoryDynamoDb();
    private final MemoryDynamoDb.Contents empty;
    private final Interleavings interleavings;
    private final RealLifecycle real;
    private final List<Start> starts = new ArrayList<>();

    /** What was covered. */
    final Set<Long> different = new HashSet<>();

    final Set<String> pairs = new TreeSet<>();
    final Set<String> transitions = new TreeSet<>();
    final Set<String> answers = new TreeSet<>();
    long faults;
    long runs;
    long passes;
    long orders;

    Schedules() {
        this(client -> client);
    }

    /** @param around what the requests go through before they reach the items */
    Schedules(Function<MemoryDynamoDb, DynamoDbClient> around) {
        interleavings = new Interleavings(around.apply(memory), request -> true);
        real = new RealLifecycle(memory, interleavings.client());
        empty = memory.contents();
        warm();
        Given.ALL.forEach(this::add);
    }

    /** Fills the caches of the functions at the time of the schedules, so that each schedule finds the same. */
    private void warm() {
        memory.restore(empty);
        real.at(Given.NOW);
        real.perform(new Act(Act.Kind.HEARTBEAT, 1, 0), List.of());
        for (int round = 0; round < 2; round++) {
            real.perform(new Act(Act.Kind.REGISTER, 0, 0), List.of("", ""));
            real.perform(new Act(Act.Kind.ACQUIRE, 0, 0), List.of("", ""));
            List<String> leases = real.lastLeases();
            real.observed(Given.NOW, new HashMap<>());
            for (Act.Kind kind : EnumSet.complementOf(EnumSet.of(Act.Kind.ROTATE_KEY, Act.Kind.REVOKE_KEY))) {
                real.perform(new Act(kind, 0, 0), leases);
            }
        }
    }

    @Override
    public void close() {
        interleavings.close();
        real.close();
    }

    private Start started(Given given) {
        LifecycleModel model = new LifecycleModel();
        model.now = Given.NOW - given.seconds();
        real.at(model.now);
        for (Object step : given.steps()) {
            if (step instanceof Integer seconds) {
                model.now += seconds;
                real.at(model.now);
            } else {
                Act act = (Act) step;
                String answer = real.perform(act, List.of("", ""));
                LifecycleModel.Progress progress = model.begin(act);
                while (!progress.done()) {
                    progress = model.step(progress);
                }
                Map<String, Integer> ordinals = new HashMap<>();
                String observed = real.observed(model.now, ordinals).toString();
                String expected = model + "\n" + progress.answer();
                String actual = observed + "\n" + named(answer, ordinals);
                if (!expected.equals(actual)) {
                    throw new AssertionError("%s, %s%nmodel:%n%s%nreal:%n%s".formatted(given, act, expected, actual));
                }
            }
        }
        return new Start(given, memory.contents(), model, real.lastLeases());
    }

    /** An answer with the number of a lease in place of its id. */
    private static String named(String answer, Map<String, Integer> ordinals) {
        int space = answer.lastIndexOf(' ');
        Integer ordinal = space < 0 ? null : ordinals.get(answer.substring(space + 1));
        return ordinal == null ? answer : answer.substring(0, space + 1) + ordinal;
    }

    /** The number of ways to begin. */
    int starts() {
        return starts.size();
    }

    /** Adds a beginning; returns its number. */
    int add(Given given) {
        memory.restore(empty);
        starts.add(started(given));
        // The beginning lies before the time of the schedules, so that caches of later instants do not hold.
        warm();
        return starts.size() - 1;
    }

    /**
     * Runs operations in every order of their requests, up to those that do not conflict; returns the number of orders.
     *
     * @param most after so many the search ends
     */
    int everyOrder(int start, List<Act> acts, int most) {
        return interleavings.exploreConflicts(
                () -> {
                    begin(start);
                    return new Interleavings.Scenario() {
                        private final String[] given = new String[acts.size()];

                        @Override
                        public List<Runnable> operations() {
                            return performing(start, acts, given);
                        }

                        @Override
                        public void check(List<Integer> order) {
                            last = given;
                        }
                    };
                },
                most,
                order -> {
                    orders++;
                    compare(start, acts, last, new boolean[acts.size()], order);
                });
    }

    private String[] last;

    /** Runs operations in an order that follows from a seed, sometimes with a fault. */
    void random(long seed) {
        Random random = new Random(seed);
        int start = random.nextInt(starts.size());
        List<Act> acts = acts(start, random, MIN_OPERATIONS + Math.max(0, random.nextInt(7) - 3));
        int faulty = random.nextInt(3) == 0 ? random.nextInt(acts.size()) : -1;
        boolean mayRepeat = faulty >= 0
                && acts.get(faulty).kind() != Act.Kind.ROTATE_KEY
                && acts.get(faulty).kind() != Act.Kind.REVOKE_KEY;
        int[] left = {mayRepeat ? random.nextInt(6) : -1};
        boolean[] repeated = new boolean[acts.size()];
        String[] given = new String[acts.size()];
        begin(start);
        Order order = interleavings.run(performing(start, acts, given), (unfinished, next) -> {
            int operation = unfinished.get(random.nextInt(unfinished.size()));
            if (operation != faulty || left[0]-- != 0) {
                return new Choice(operation, Fate.ANSWERED);
            }
            repeated[operation] = true;
            faults++;
            return new Choice(operation, Fate.values()[1 + random.nextInt(3)]);
        });
        compare(start, acts, given, repeated, order);
    }

    /** Runs operations in an order of their requests, and what is left of them one after the other. */
    void inOrder(int start, List<Act> acts, List<Integer> steps) {
        String[] given = new String[acts.size()];
        Iterator<Integer> next = steps.iterator();
        begin(start);
        Order order = interleavings.run(
                performing(start, acts, given),
                (unfinished, requests) -> new Choice(next.hasNext() ? next.next() : unfinished.get(0), Fate.ANSWERED));
        compare(start, acts, given, new boolean[acts.size()], order);
    }

    /** Random operations that can begin; at most one of them rotates the key. */
    List<Act> acts(int start, Random random, int number) {
        List<Act> acts = new ArrayList<>();
        while (acts.size() < Math.min(number, MAX_OPERATIONS)) {
            Act.Kind kind = Act.Kind.values()[random.nextInt(Act.Kind.values().length)];
            act(start, kind, random.nextInt(3) / 2, random.nextInt(3) / 2)
                    .filter(act -> kind != Act.Kind.ROTATE_KEY || !acts.contains(act))
                    .ifPresent(acts::add);
        }
        return acts;
    }

    /** An operation, or empty where it has no lease. */
    java.util.Optional<Act> act(int start, Act.Kind kind, int agent, int scope) {
        Act act = new Act(kind, kind.hasAgent() ? agent : 0, kind.hasScope() ? scope : 0);
        return kind.isOfLease() && starts.get(start).leases().get(scope).isEmpty()
                        || kind == Act.Kind.ROTATE_KEY && starts.get(start).model().secret > 0
                ? java.util.Optional.empty()
                : java.util.Optional.of(act);
    }

    private void begin(int start) {
        memory.restore(starts.get(start).items());
        real.at(Given.NOW);
    }

    private List<Runnable> performing(int start, List<Act> acts, String[] given) {
        List<String> leases = starts.get(start).leases();
        return IntStream.range(0, acts.size())
                .<Runnable>mapToObj(i -> () -> {
                    try {
                        given[i] = real.perform(acts.get(i), leases);
                    } catch (Crash e) {
                        given[i] = real.perform(acts.get(i), leases);
                    }
                })
                .toList();
    }

    private void compare(int start, List<Act> acts, String[] given, boolean[] repeated, Order order) {
        runs++;
        Map<String, Integer> ordinals = new HashMap<>();
        LifecycleModel observed = real.observed(Given.NOW, ordinals);
        List<String> named =
                Arrays.stream(given).map(answer -> named(answer, ordinals)).toList();
        int[] first =
                IntStream.range(0, acts.size()).map(i -> order.place(i, false)).toArray();
        int[] ended =
                IntStream.range(0, acts.size()).map(i -> order.place(i, true)).toArray();
        int[] written = IntStream.range(0, acts.size()).map(order::lastWrite).toArray();
        Outcome outcome = new Outcome(acts, named, repeated, first, ended, written, observed.toString());
        LifecycleModel before = starts.get(start).model();
        if (!Explanation.exists(before, outcome)) {
            throw new AssertionError(
                    "no order of atomic operations explains%n%s, then %s in the order %s, repeated %s%nanswers %s%nbefore:%n%s%nafter:%n%s"
                            .formatted(
                                    starts.get(start).given(),
                                    acts,
                                    order.operations(),
                                    Arrays.toString(repeated),
                                    named,
                                    before,
                                    observed));
        }
        cover(start, acts, named, order, observed);
        if (runs % RUNS_TO_SWEEP == 0) {
            sweep();
        }
    }

    /** Two passes later, nothing is left to do, and every lease that has not ended is in force and held. */
    private void sweep() {
        real.sweep(2);
        LifecycleModel swept = real.observed(Given.NOW, new HashMap<>());
        for (LifecycleModel.Lease lease : swept.leases) {
            if (lease.status.equals(LifecycleModel.ACTIVE) && !(lease.isInForce(Given.NOW) && swept.holds(lease))) {
                throw new AssertionError("after two passes, no agent holds the lease " + lease);
            }
        }
        for (LifecycleModel.Agent agent : swept.agents) {
            if (agent.through > 0) {
                throw new AssertionError("after two passes, a clean-up is pending: " + agent);
            }
        }
        MemoryDynamoDb.Contents contents = memory.contents();
        real.sweep(1);
        if (!memory.contents().items().equals(contents.items())) {
            throw new AssertionError("a third pass changed something");
        }
        passes++;
    }

    private void cover(int start, List<Act> acts, List<String> named, Order order, LifecycleModel observed) {
        different.add(order.conflicts() * 31 + (start + acts.toString()).hashCode() * 1_000_000_007L);
        for (int i = 0; i < acts.size(); i++) {
            answers.add(acts.get(i).kind() + " " + named.get(i).split(" v")[0].split(" i")[0]);
            for (int j = 0; j < i; j++) {
                Act.Kind one = acts.get(i).kind();
                Act.Kind other = acts.get(j).kind();
                pairs.add(one.compareTo(other) < 0 ? one + " " + other : other + " " + one);
            }
        }
        for (LifecycleModel.Agent agent : observed.agents) {
            for (String event : agent.events.split(";")) {
                if (event.contains(">")) {
                    transitions.add(event);
                }
            }
        }
    }
}
