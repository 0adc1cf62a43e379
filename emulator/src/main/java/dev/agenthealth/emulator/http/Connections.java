package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;

/**
 * The connections of a server. Their number is limited, in total and per address, and clients have deadlines. Thread-safe.
 *
 * <p>Above a limit an idle connection makes room, as in nginx; {@link WaitingClients} selects it. If every connection has a request in progress
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

    /** The connections without a request in progress. The lock guards this order and {@link #sources}. */
    private final WaitingClients<Client> waiting = waitingClients();

    private final Map<InetAddress, Source> sources = new HashMap<>();
    private final Object lock = new Object();
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

    private static WaitingClients<Client> waitingClients() {
        return new WaitingClients<>(IDLE.toNanos(), NEW.toNanos());
    }

    /** The connections of an address. */
    private static final class Source {

        private final WaitingClients<Client> waiting = waitingClients();
        private int count;
    }

    private enum Phase {
        /** Between two requests, or while a request's head arrives. */
        HEAD,
        BODY,
        ANSWER,
        RESPONSE
    }

    /** A connection. Its phases follow each other; any thread may read it. */
    final class Client implements WaitingClients.Client {

        private final SelectableChannel channel;
        private final InetAddress address;
        private final Source source;
        private volatile TurnEndPoint endPoint;
        private volatile Phase phase = Phase.HEAD;
        private volatile long since = nanoTime.getAsLong();
        private volatile boolean headBegun = true;
        private volatile boolean hadRequest;
        private volatile long bytesBefore;
        private volatile long bodyBytes;

        private Client(SelectableChannel channel, InetAddress address, Source source) {
            this.channel = channel;
            this.address = address;
            this.source = source;
        }

        @Override
        public boolean hadRequest() {
            return hadRequest;
        }

        @Override
        public long since() {
            return since;
        }

        /** Records that the head of a request has arrived. The client has no deadline until the server reads the body. */
        void headReceived() {
            bodyBytes = 0;
            hadRequest = true;
            synchronized (lock) {
                enter(Phase.ANSWER);
                waiting.remove(this);
                source.waiting.remove(this);
            }
        }

        /** Records that the server begins to read the body of the request. */
        void bodyBegins() {
            enter(Phase.BODY);
        }

        void bodyReceived(int bytes) {
            bodyBytes += bytes;
        }

        /** Records that the whole request has arrived, so that the client has no deadline. */
        void requestReceived() {
            enter(Phase.ANSWER);
            TurnEndPoint open = endPoint;
            if (open != null) {
                open.endTurn();
            }
        }

        void responseBegins() {
            enter(Phase.RESPONSE);
        }

        void responseEnded() {
            headBegun = false;
            bytesBefore = bytesIn();
            enter(Phase.HEAD);
            beginToWait();
        }

        /** Adds the connection at the end of the waiting connections, unless it is closed or the head of a request has arrived. */
        private void beginToWait() {
            synchronized (lock) {
                if (phase == Phase.HEAD && clients.get(channel) == this) {
                    since = nanoTime.getAsLong();
                    waiting.add(this);
                    source.waiting.add(this);
                }
            }
        }

        private void enter(Phase next) {
            since = nanoTime.getAsLong();
            phase = next;
        }

        private long bytesIn() {
            Connection connection = endPoint == null ? null : endPoint.getConnection();
            return connection == null ? 0 : connection.getBytesIn();
        }

        private boolean isTooSlow(long now) {
            Phase current = phase;
            long elapsed = now - since;
            if (current == Phase.HEAD && !headBegun) {
                if (bytesIn() > bytesBefore) {
                    headBegun = true;
                    beginToWait();
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
        Source source;
        synchronized (lock) {
            source = sources.getOrDefault(address, new Source());
        }
        if (source.count >= limits.connectionsOfAddress() && !displace(source.waiting)
                || clients.size() >= limits.connections() && !displace(waiting)) {
            return refuse();
        }
        add(channel, address);
        return true;
    }

    private void add(SelectableChannel channel, InetAddress address) {
        synchronized (lock) {
            Source source = sources.computeIfAbsent(address, any -> new Source());
            source.count++;
            Client client = new Client(channel, address, source);
            clients.put(channel, client);
            client.beginToWait();
        }
    }

    private boolean refuse() {
        refused.incrementAndGet();
        refusedAt = nanoTime.getAsLong();
        return false;
    }

    /** Closes the connection that makes room first, and returns true if there was such a connection. */
    private boolean displace(WaitingClients<Client> candidates) {
        Optional<Client> first;
        synchronized (lock) {
            first = candidates.first(nanoTime.getAsLong());
        }
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

    void opened(SelectableChannel channel, TurnEndPoint endPoint) {
        Client client = clients.get(channel);
        if (client != null) {
            client.endPoint = endPoint;
        }
    }

    /** Returns the connection of a request, even if it was closed meanwhile. */
    Client client(SelectableChannel channel) {
        Client known = clients.get(channel);
        return known == null ? new Client(channel, InetAddress.getLoopbackAddress(), new Source()) : known;
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
        synchronized (lock) {
            Client closed = clients.remove(channel);
            if (closed == null) {
                return;
            }
            waiting.remove(closed);
            closed.source.waiting.remove(closed);
            closed.source.count--;
            if (closed.source.count == 0) {
                sources.remove(closed.address);
            }
        }
    }
}
