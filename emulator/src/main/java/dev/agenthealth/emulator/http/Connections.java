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
 * The connections of a server. Their number is limited, in total and per address, and clients have deadlines. Thread-safe.
 *
 * <p>Above a limit an idle connection makes room, as in nginx; {@link #displace} selects it. If every connection has a request in progress
 * or is new, the server refuses the next connection.
 */
final class Connections implements SelectorManager.AcceptListener {

    /** The maximum time for the head of a request, counted from its first byte or from the opening of the connection. */
    static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);

    /** The maximum time for the body of a request, and for the receipt of its response. */
    static final Duration TRANSFER_TIMEOUT = Duration.ofSeconds(60);

    /** The minimum average rate of a body after {@link #SLOW_START}. */
    static final long MIN_BYTES_PER_SECOND = 4 * 1_024;

    static final Duration SLOW_START = Duration.ofSeconds(5);

    /** The idle time after a request from which a connection is the first to make room. */
    static final Duration IDLE = Duration.ofSeconds(10);

    /** The time that a new connection has for its first request before it may make room. */
    static final Duration NEW = Duration.ofSeconds(2);

    /** The time after a refusal during which the server reports that agents may be unable to connect. */
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
        /** Between two requests, or while a request's head arrives. */
        HEAD,
        BODY,
        ANSWER,
        RESPONSE
    }

    /** A connection. Its phases follow each other; any thread may read it. */
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

        /** Records that the head of a request has arrived. */
        void headReceived() {
            bodyBytes = 0;
            hadRequest = true;
            enter(Phase.BODY);
        }

        void bodyReceived(int bytes) {
            bodyBytes += bytes;
        }

        /** Records that the whole request has arrived, so that the client has no deadline. */
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

        /** Returns the group in which the connection makes room; lower groups come first. */
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

    /**
     * Returns true if the limits allow a new connection; an idle connection may be closed for it. The connection counts until it is closed.
     */
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
     * Closes a connection without a request in progress, and returns true if there was such a connection. The order is: connections idle
     * for more than {@link #IDLE} after a request, connections that sent no request for more than {@link #NEW}, other idle connections.
     * Within a group, the connection that waited longest comes first.
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

    /** Returns true if a connection was refused in the last few seconds. */
    boolean isRefusing() {
        return nanoTime.getAsLong() - refusedAt < REFUSING.toNanos();
    }

    void opened(SelectableChannel channel, EndPoint endPoint) {
        Client client = clients.get(channel);
        if (client != null) {
            client.endPoint = endPoint;
        }
    }

    /** Returns the connection of a request, even if it was closed meanwhile. */
    Client client(SelectableChannel channel) {
        Client known = clients.get(channel);
        return known == null ? new Client(channel, InetAddress.getLoopbackAddress()) : known;
    }

    /** Closes the connections of clients that are too slow. */
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
