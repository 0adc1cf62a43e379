package dev.agenthealth.model.registry.outcome;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Latencies as agents have them, and worse. */
final class SkewedLatencies {

    private enum Shape {
        LOG_NORMAL {
            @Override
            double next(Random random, double scale, double spread) {
                return scale * Math.exp(spread * random.nextGaussian());
            }
        },
        BIMODAL {
            @Override
            double next(Random random, double scale, double spread) {
                double middle = random.nextInt(100) < 97 ? scale : scale * 1_000;
                return middle * (1 + spread * random.nextDouble() / 10);
            }
        },
        HEAVY_TAIL {
            @Override
            double next(Random random, double scale, double spread) {
                return scale * Math.pow(1 - random.nextDouble(), -(0.5 + spread / 2));
            }
        },
        EVEN {
            @Override
            double next(Random random, double scale, double spread) {
                return scale * random.nextDouble();
            }
        },
        EQUAL {
            @Override
            double next(Random random, double scale, double spread) {
                return scale;
            }
        },
        WHOLE_AND_SMALL {
            @Override
            double next(Random random, double scale, double spread) {
                return random.nextInt(10);
            }
        };

        abstract double next(Random random, double scale, double spread);
    }

    private SkewedLatencies() {}

    /** From one latency to 3,000 of them, ascending. */
    static Arbitrary<double[]> ascending() {
        Arbitrary<Integer> sizes = Arbitraries.oneOf(
                Arbitraries.of(1, 2, 10, 99, 100, 101), Arbitraries.integers().between(1, 3_000));
        Arbitrary<Double> scales = Arbitraries.integers().between(-2, 20).map(power -> 0.7 * Math.pow(2, power));
        Arbitrary<Double> spreads = Arbitraries.doubles().between(0.01, 3);
        return Combinators.combine(
                        Arbitraries.of(Shape.class),
                        sizes,
                        scales,
                        spreads,
                        Arbitraries.longs(),
                        Arbitraries.of(true, false))
                .as((shape, size, scale, spread, seed, whole) -> {
                    Random random = new Random(seed);
                    return DoubleStream.generate(() -> shape.next(random, scale, spread))
                            .limit(size)
                            .map(latency -> Math.min(latency, Outcome.MAX_LATENCY_MS))
                            .map(latency -> whole ? Math.rint(latency) : latency)
                            .sorted()
                            .toArray();
                });
    }

    static LatencyHistogram histogram(double[] latencies) {
        return Arrays.stream(latencies)
                .mapToObj(latency -> LatencyHistogram.of(Map.of(LatencyBuckets.of(latency), 1L)))
                .reduce(LatencyHistogram.EMPTY, LatencyHistogram::plus);
    }

    /** The rank of a quantile, from 1: the share rounded up. */
    static int rank(int size, int percent) {
        return (size * percent + 99) / 100;
    }
}
