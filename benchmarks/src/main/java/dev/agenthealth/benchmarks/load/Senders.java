package dev.agenthealth.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Sends requests over several connections. Each connection sends its next request after the answer to the last request. */
final class Senders {

    private Senders() {}

    /** Sends for a time, after a warm-up that does not count. Any answer but a success ends the measurement with an exception. */
    static Rate during(URI server, int connections, double warmUpSeconds, double seconds, Supplier<byte[]> requests) {
        long begin = System.nanoTime() + nanos(warmUpSeconds);
        long end = begin + nanos(seconds);
        return send(server, connections, begin, () -> System.nanoTime() < end, requests);
    }

    /** Sends this many requests. */
    static Rate count(URI server, int connections, int number, Supplier<byte[]> requests) {
        var left = new java.util.concurrent.atomic.AtomicInteger(number);
        return send(server, connections, System.nanoTime(), () -> left.getAndDecrement() > 0, requests);
    }

    /** Returns the requests at even intervals, at most {@code perSecond} per second. */
    static Supplier<byte[]> paced(int perSecond, Supplier<byte[]> requests) {
        AtomicLong next = new AtomicLong(System.nanoTime());
        return () -> {
            long due = next.getAndAdd(1_000_000_000L / perSecond);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return requests.get();
        };
    }

    /** Sends while the condition holds. */
    static Rate send(URI server, int connections, long countFrom, BooleanSupplier goOn, Supplier<byte[]> requests) {
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        try {
            List<Callable<long[]>> senders = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                senders.add(() -> sendInTurn(server, countFrom, goOn, requests));
            }
            List<long[]> latencies = new ArrayList<>();
            for (Future<long[]> sender : threads.invokeAll(senders)) {
                latencies.add(sender.get());
            }
            return Rate.of(latencies, System.nanoTime() - countFrom);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns the latencies, in nanoseconds, of requests that began within the counted time. */
    private static long[] sendInTurn(URI server, long countFrom, BooleanSupplier goOn, Supplier<byte[]> requests)
            throws IOException {
        long[] latencies = new long[1_024];
        int sent = 0;
        try (Connection connection = new Connection(server)) {
            while (goOn.getAsBoolean()) {
                byte[] request = requests.get();
                long before = System.nanoTime();
                connection.send(request).successful();
                if (before >= countFrom) {
                    latencies = sent == latencies.length ? Arrays.copyOf(latencies, 2 * sent) : latencies;
                    latencies[sent++] = System.nanoTime() - before;
                }
            }
        }
        return Arrays.copyOf(latencies, sent);
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
