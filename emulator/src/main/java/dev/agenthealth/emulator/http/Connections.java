package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;

/**
 * The connections of a server: their number is limited, in all and for each address, and what a client does has deadlines. Above a limit, an
 * idle connection makes room, as in nginx: {@link #displace} says which. If every connection has a request in progress or is new, the server
 * refuses the next one. Thread-safe.
 */
final class Connections implements SelectorManager.AcceptListener {

    /** The maximum time of the head of a request, from its first byte or from the opening of the connection. */
    static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);

    /** The maximum time of the body of a request, and of the receipt of its response. */
    static final Duration TRANSFER_TIMEOUT = Duration.ofSeconds(60);

    /** The average rate of a body after {@link #SLOW_START}. */
    static final long MIN_BYTES_PER_SECOND = 4 * 1_024;

    static final Duration SLOW_START = Duration.ofSeconds(5);

    /** A connection that is idle for longer after a request is the first to make room. */
    static final Duration IDLE = Duration.ofSeconds(10);

    /** The time that a new connection has for its first request before it may make room. */
    static final Duration NEW = Duration.ofSeconds(2);

    /** A refusal says that agents may be unable to connect for so long. */
    private static final Duration REFUSING = Duration.ofSeconds(5);

    private static final Duration LOG_PERIOD = Duration.ofMinutes(1);

    private final Limits limits;
    private final LongSupplier nanoTime;
    private final EmulatorLog log;
    private final Map<SelectableChannel, Client> clients = new ConcurrentHashMap<>();
    private final Map<InetAddress, Integer> countByAddress = new ConcurrentHashMap<>();
    private final AtomicLong closedSlow = new AtomicLong();
    private final AtomicLong displaced = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile long refusedAt;
    private long loggedAt;

    Connections(Limits limits, EmulatorLog log) {
        this.limits = limits;
        this.nanoTime = limits.nanoTime();
        this.log = log;
        this.refusedAt = nanoTime.getAsLong() - REFUSING.toNanos();
        this.loggedAt = nanoTime.getAsLong() - LOG_PERIOD.toNanos();
    }

    private enum Phase {
        /** Between requests, or while the head of one arrives. */
        HEAD,
        BODY,
        ANSWER,
        RESPONSE
    }

    /** One connection. Its phases follow each other; it is read at any time. */
    final class Client {

        private final SelectableChannel channel;
        private final InetAddress address;
        private volatile EndPoint endPoint;
        private volatile Phase phase = Phase.HEAD;
        private volatile long since = nanoTime.getAsLong();
        private volatile boolean headBegun = true;
        private volatile boolean hadRequest;
        private volatile long bytesBefore;
        private volatile long bodyBytes;

        private Client(SelectableChannel channel, InetAddress address) {
            this.channel = channel;
            this.address = address;
        }

        /** The head of a request has arrived. */
        void headReceived() {
            bodyBytes = 0;
            hadRequest = true;
            enter(Phase.BODY);
        }

        void bodyReceived(int bytes) {
            bodyBytes += bytes;
        }

        /** The whole request has arrived; nothing is expected of the client. */
        void requestReceived() {
            enter(Phase.ANSWER);
        }

        void responseBegins() {
            enter(Phase.RESPONSE);
        }

        void responseEnded() {
            headBegun = false;
            bytesBefore = bytesIn();
            enter(Phase.HEAD);
        }

        private void enter(Phase next) {
            since = nanoTime.getAsLong();
            phase = next;
        }

        private long bytesIn() {
            Connection connection = endPoint == null ? null : endPoint.getConnection();
            return connection == null ? 0 : connection.getBytesIn();
        }

        private boolean mayMakeRoom(long now) {
            return phase == Phase.HEAD && (hadRequest || now - since > NEW.toNanos());
        }

        /** Returns the group in which the connection makes room: lower ones come first. */
        private int turn(long now) {
            if (!hadRequest) {
                return 1;
            }
            return now - since > IDLE.toNanos() ? 0 : 2;
        }

        private boolean isTooSlow(long now) {
            Phase current = phase;
            long elapsed = now - since;
            if (current == Phase.HEAD && !headBegun) {
                if (bytesIn() > bytesBefore) {
                    headBegun = true;
                    since = now;
                }
                return false;
            }
            return switch (current) {
                case HEAD -> elapsed > HEAD_TIMEOUT.toNanos();
                case BODY ->
                    elapsed > TRANSFER_TIMEOUT.toNanos()
                            || bodyBytes
                                    < MIN_BYTES_PER_SECOND
                                            * (elapsed - SLOW_START.toNanos())
                                            / Duration.ofSeconds(1).toNanos();
                case ANSWER -> false;
                case RESPONSE -> elapsed > TRANSFER_TIMEOUT.toNanos();
            };
        }

        private void close() {
            remove(channel);
            EndPoint open = endPoint;
            try {
                if (open == null) {
                    channel.close();
                } else {
                    open.close();
                }
            } catch (IOException e) {
                log.failure("connection_not_closed", "http", e);
            }
        }
    }

    /** Returns true where a new connection is within the limits, for which another one may be closed. It counts from now on, until it is closed. */
    boolean admits(SocketChannel channel) {
        InetAddress address = channel.socket().getInetAddress();
        if (countByAddress.getOrDefault(address, 0) >= limits.connectionsOfAddress()
                && !displace(client -> client.address.equals(address))) {
            return refuse();
        }
        if (clients.size() >= limits.connections() && !displace(client -> true)) {
            return refuse();
        }
        clients.put(channel, new Client(channel, address));
        countByAddress.merge(address, 1, Integer::sum);
        return true;
    }

    private boolean refuse() {
        refused.incrementAndGet();
        refusedAt = nanoTime.getAsLong();
        return false;
    }

    /**
     * Closes a connection without a request in progress, and returns true if there was such a connection. Connections that are idle for more
     * than {@link #IDLE} after a request come first. Then come connections that sent no request for more than {@link #NEW}, and then the other
     * idle connections. Within a group, the connection that waited longest comes first.
     */
    private boolean displace(Predicate<Client> candidates) {
        long now = nanoTime.getAsLong();
        Optional<Client> first = clients.values().stream()
                .filter(client -> candidates.test(client) && client.mayMakeRoom(now))
                .min(Comparator.<Client>comparingInt(client -> client.turn(now))
                        .thenComparing(Comparator.<Client>comparingLong(client -> now - client.since)
                                .reversed()));
        first.ifPresent(client -> {
            displaced.incrementAndGet();
            client.close();
        });
        return first.isPresent();
    }

    /** Returns the number of open connections. */
    int count() {
        return clients.size();
    }

    /** Returns true where a connection was refused in the last seconds. */
    boolean isRefusing() {
        return nanoTime.getAsLong() - refusedAt < REFUSING.toNanos();
    }

    void opened(SelectableChannel channel, EndPoint endPoint) {
        Client client = clients.get(channel);
        if (client != null) {
            client.endPoint = endPoint;
        }
    }

    /** The connection of a request, also of one that was closed meanwhile. */
    Client client(SelectableChannel channel) {
        Client known = clients.get(channel);
        return known == null ? new Client(channel, InetAddress.getLoopbackAddress()) : known;
    }

    /** Closes the connections whose clients are too slow. */
    void closeSlow() {
        long now = nanoTime.getAsLong();
        for (Client client : clients.values()) {
            if (client.isTooSlow(now)) {
                closedSlow.incrementAndGet();
                client.close();
            }
        }
        if (now - loggedAt >= LOG_PERIOD.toNanos() && closedSlow.get() + displaced.get() + refused.get() > 0) {
            loggedAt = now;
            log.warn(
                    "connections_limited",
                    Map.of(
                            "slow",
                            closedSlow.getAndSet(0),
                            "displaced",
                            displaced.getAndSet(0),
                            "refused",
                            refused.getAndSet(0)));
        }
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
        remove(channel);
    }

    @Override
    public void onClosed(SelectableChannel channel) {
        remove(channel);
    }

    void remove(SelectableChannel channel) {
        Client closed = clients.remove(channel);
        if (closed != null) {
            countByAddress.computeIfPresent(closed.address, (address, count) -> count == 1 ? null : count - 1);
        }
    }
}
