package dev.agenthealth.benchmarks.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The hosts of watched agents in a separate process. They are addresses and ports of this machine that answer `GET /NUMBER` with 200, in
 * one thread.
 *
 * <p>Standard input receives commands. {@code fail HANGING REFUSING} lets some hosts hang and others refuse connections. {@code write FILE}
 * writes the number and the time of each request since the last command of this kind.
 */
final class WatchedHosts {

    /** The number of ports per address; the agents of an address and a port share a host. */
    private static final int PORTS = 10;

    private static final int FIRST_PORT = 20_000;
    private static final int FIRST_ADDRESS = 2;
    private static final int ADDRESSES = 250;
    private static final int MAX_REQUEST = 2_048;

    private final List<ServerSocketChannel> listeners = new ArrayList<>();
    private final Map<ServerSocketChannel, Integer> hosts = new HashMap<>();
    private final Queue<String> commands = new ConcurrentLinkedQueue<>();
    private final StringBuilder requests = new StringBuilder();
    private final Selector selector = Selector.open();
    private int hanging;

    private WatchedHosts(int number) throws IOException {
        for (int host = 0; host < number; host++) {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getByName(address(host)), port(host)), 50);
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            listeners.add(listener);
            hosts.put(listener, host);
        }
    }

    /** Returns the maximum number of hosts. */
    static int most() {
        return ADDRESSES * PORTS;
    }

    private static String address(int host) {
        return "127.0.0." + (FIRST_ADDRESS + host / PORTS);
    }

    private static int port(int host) {
        return FIRST_PORT + host % PORTS;
    }

    static String url(int host, int agent) {
        return "http://" + address(host) + ":" + port(host) + "/" + agent;
    }

    /** Serves until standard input ends. The argument is the number of hosts. */
    public static void main(String[] arguments) throws IOException {
        WatchedHosts served = new WatchedHosts(Integer.parseInt(arguments[0]));
        Thread reader = new Thread(served::readCommands);
        reader.setDaemon(true);
        reader.start();
        System.out.println("ready");
        while (true) {
            served.serve();
        }
    }

    private void readCommands() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                commands.add(line);
                selector.wakeup();
            }
        } catch (IOException e) {
            System.err.println("the commands cannot be read: " + e.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    private void serve() throws IOException {
        selector.select();
        for (String command = commands.poll(); command != null; command = commands.poll()) {
            execute(command.split(" "));
            System.out.println("done");
        }
        for (SelectionKey key : selector.selectedKeys()) {
            try {
                if (key.isValid() && key.isAcceptable()) {
                    accept((ServerSocketChannel) key.channel());
                } else if (key.isValid() && key.isReadable()) {
                    answer(key);
                }
            } catch (IOException e) {
                key.channel().close();
            }
        }
        selector.selectedKeys().clear();
    }

    private void execute(String[] command) throws IOException {
        if (command[0].equals("write")) {
            Files.writeString(Path.of(command[1]), requests);
            requests.setLength(0);
            return;
        }
        hanging = Integer.parseInt(command[1]);
        for (ServerSocketChannel refusing : listeners.subList(hanging, hanging + Integer.parseInt(command[2]))) {
            refusing.close();
        }
    }

    private void accept(ServerSocketChannel listener) throws IOException {
        for (SocketChannel socket = listener.accept(); socket != null; socket = listener.accept()) {
            socket.configureBlocking(false);
            // The client closes the connection of a hanging host; then its end is read.
            socket.register(
                    selector,
                    SelectionKey.OP_READ,
                    hosts.get(listener) < hanging ? null : ByteBuffer.allocate(MAX_REQUEST));
        }
    }

    private void answer(SelectionKey key) throws IOException {
        SocketChannel socket = (SocketChannel) key.channel();
        ByteBuffer received = (ByteBuffer) key.attachment();
        boolean hangs = received == null;
        if (socket.read(hangs ? ByteBuffer.allocate(MAX_REQUEST) : received) < 0) {
            socket.close();
            return;
        }
        String request = hangs ? "" : new String(received.array(), 0, received.position(), StandardCharsets.ISO_8859_1);
        if (request.endsWith("\r\n\r\n")) {
            requests.append(request, request.indexOf('/') + 1, request.indexOf(" HTTP"))
                    .append(' ')
                    .append(System.currentTimeMillis())
                    .append('\n');
            socket.write(ByteBuffer.wrap("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                    .getBytes(StandardCharsets.ISO_8859_1)));
            socket.close();
        }
    }
}
