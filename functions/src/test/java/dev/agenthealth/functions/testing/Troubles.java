package dev.agenthealth.functions.testing;

import dev.agenthealth.testkit.Trouble;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;

/**
 * What the database does to a test: all troubles at low rates, or one of them at a high rate.
 *
 * @param rates the probability of each for a request
 */
public record Troubles(long seed, Map<Trouble, Double> rates) {

    /** A kind database. */
    public static final Troubles NONE = new Troubles(0, Map.of());

    /** Starts them; {@link dev.agenthealth.testkit.RandomTroubles#stop} ends them. */
    public void start(TestSystem system) {
        system.troubles().start(seed, rates);
    }

    /** The same troubles without outages: those that retries overcome. */
    public Troubles withoutOutages() {
        Map<Trouble, Double> passing = new EnumMap<>(Trouble.class);
        passing.putAll(rates);
        passing.remove(Trouble.OUTAGE);
        return new Troubles(seed, passing);
    }

    /** Runs a step of a test with them, and ends them. */
    public void during(TestSystem system, long step, Runnable run) {
        system.troubles().start(seed + step, rates);
        try {
            run.run();
        } finally {
            system.troubles().stop();
        }
    }

    /** Troubles of every kind. */
    public static final class Every implements ArbitrarySupplier<Troubles> {
        @Override
        public Arbitrary<Troubles> get() {
            return of(Set.of(Trouble.values()));
        }
    }

    /** Those that retries overcome, if the clock stands still meanwhile: no request fails. */
    public static final class Passing implements ArbitrarySupplier<Troubles> {
        @Override
        public Arbitrary<Troubles> get() {
            Set<Trouble> passing = new HashSet<>(Set.of(Trouble.values()));
            passing.remove(Trouble.OUTAGE);
            return of(passing);
        }
    }

    private static Arbitrary<Troubles> of(Set<Trouble> kinds) {
        List<Map<Trouble, Double>> rates = Stream.concat(
                        Stream.of(rates(kinds, 0.05), rates(kinds, 0.15), rates(kinds, 0.25)),
                        kinds.stream().map(kind -> rates(Set.of(kind), 0.5)))
                .toList();
        return Combinators.combine(Arbitraries.longs(), Arbitraries.of(rates)).as(Troubles::new);
    }

    /** An outage lasts, so that it happens less often. */
    private static Map<Trouble, Double> rates(Set<Trouble> kinds, double rate) {
        Map<Trouble, Double> rates = new EnumMap<>(Trouble.class);
        kinds.forEach(kind -> rates.put(kind, kind == Trouble.OUTAGE ? rate / 10 : rate));
        return rates;
    }
}
