package dev.agenthealth.local.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.hostile.RawClient.Answer;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.HostileRequests;
import dev.agenthealth.testkit.HostileRequests.Hostile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The registry on one machine gets, over its port, requests for every operation, valid and broken, and bytes that are no HTTP or two readings of
 * it, while others hold half a request: each is answered below 500 or its connection is closed, and a good request is answered meanwhile.
 */
@Tag(Attack.TAG)
class HostileConnectionsTest {

    private static final String KEY = "test-administrator-key";
    private static final int REQUESTS = Attack.size(600, 20_000);
    private static final int RAW = Attack.size(400, 10_000);
    private static final int HELD = 50;
    private static final long MAX_GROWTH_BYTES = 64L << 20;

    /** Not implemented, and not this version of HTTP; the failures of agents that are called, and of identity providers. */
    private static final Set<Integer> ALLOWED = Set.of(501, 502, 503, 504, 505);

    private static final List<String> STARTS = List.of(
            "GET /api/v1/ping HTTP/1.1",
            "POST /api/v1/agents HTTP/1.1",
            "PUT /v1/admin/hosts/a.example HTTP/1.1",
            "GET /api/v1/ping HTTP/1.0",
            "GET /api/v1/ping HTTP/9.9",
            "GET /api/v1/ping",
            "get /api/v1/ping HTTP/1.1",
            "TRACE / HTTP/1.1",
            "CONNECT localhost:80 HTTP/1.1",
            "OPTIONS * HTTP/1.1",
            "PRI * HTTP/2.0",
            "PROPFIND /api/v1/agents HTTP/1.1",
            "GET /api/v1/agents/%2e%2e%2f%2e%2e%2fetc HTTP/1.1",
            "GET /api/v1/agents/a%2Fb HTTP/1.1",
            "GET /api/v1/agents/a%00b HTTP/1.1",
            "GET /api/v1/agents/%c0%af HTTP/1.1",
            "GET /api/v1/../v1/./ping HTTP/1.1",
            "GET //api//v1//ping HTTP/1.1",
            "GET /page/%2e%2e/app.js HTTP/1.1",
            "GET /page/x/..%5c..%5capp.js HTTP/1.1",
            "GET http://elsewhere.example/api/v1/ping HTTP/1.1",
            "GET /api/v1/ping?" + "a=b&".repeat(2_000) + " HTTP/1.1",
            "GET /" + "a".repeat(100_000) + " HTTP/1.1",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
            "\u0000\u0000\u0000\u0000",
            "");

    private static final List<String> HEADERS = List.of(
            "Host: localhost",
            "Host: a\r\nHost: b",
            "Host:",
            "X-API-Key: " + KEY,
            "Content-Type: application/json",
            "Content-Length: 2",
            "Content-Length: 0",
            "Content-Length: 5\r\nContent-Length: 6",
            "Content-Length: -1",
            "Content-Length: 99999999999999999999",
            "Content-Length: 4000000000",
            "Content-Length: 1e3",
            "Content-Length: +2",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: chunked, chunked",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding : chunked",
            "Transfer-Encoding: xchunked",
            "Transfer-Encoding:\u000bchunked",
            "Expect: 100-continue",
            "Expect: 200-ok",
            "Connection: keep-alive, upgrade",
            "Upgrade: h2c",
            "Upgrade: websocket",
            " folded: x",
            "X-A: b\r\n c",
            "X-A: b\nX-B: c",
            "X-A: b\rX-B: c",
            "no colon",
            ": no name",
            "X\u0000Y: z",
            "X-A: \u0000",
            "X-A: \u00ff\u00fe",
            "X-Long: " + "x".repeat(20_000),
            "Cookie: " + "a=b; ".repeat(3_000),
            "Accept-Encoding: gzip;q=nan",
            "Range: bytes=" + "0-1,".repeat(1_000),
            "If-Match: " + "\"1\",".repeat(500),
            "Authorization: Bearer " + "eyJ".repeat(3_000));

    private static final List<String> BODIES = List.of(
            "",
            "{}",
            "{",
            "2\r\n{}\r\n0\r\n\r\n",
            "2;ext=\"x\"\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
            "ffffffffffffffff\r\nx",
            "-2\r\n{}\r\n",
            "2\n{}\n0\n\n",
            "zz\r\n{}\r\n0\r\n\r\n",
            "0\r\n\r\nGET /v1/admin/keys HTTP/1.1\r\nHost: x\r\n\r\n",
            "{}GET /v1/admin/keys HTTP/1.1\r\nHost: x\r\n\r\n",
            "2\r\n{}\r\n".repeat(1_000) + "0\r\n\r\n");

    private final Attack attack = Attack.begin("hostile-connections");
    private final Random random = new Random(attack.seed());

    @AutoClose
    private LocalSystem system;

    private RawClient client;
    private int port;

    @BeforeEach
    void start() throws IOException {
        system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .sweepPeriod(Duration.ofSeconds(1))
                .out(new PrintStream(OutputStream.nullOutputStream())));
        port = URI.create(system.baseUrl()).getPort();
        client = new RawClient(port);
    }

    @Test
    void each_is_answered_or_closed_and_others_are_served() throws IOException {
        List<Socket> held = hold();
        Map<String, String> breaks = new TreeMap<>();
        Map<Integer, Long> statuses = new TreeMap<>();
        Set<String> operations = new HashSet<>();
        HostileRequests requests = new HostileRequests(new Random(random.nextLong()), known());
        long before = 0;
        try {
            for (int i = 0; i < REQUESTS + RAW; i++) {
                if (i == REQUESTS / 2) {
                    before = usedHeap();
                }
                // Both kinds in turn, as clients mix.
                boolean isRaw = i % (REQUESTS + RAW) >= REQUESTS || random.nextInt(REQUESTS + RAW) < RAW;
                Answer answer = isRaw ? sendRaw(breaks) : send(requests.next(), operations, breaks);
                statuses.merge(answer.status(), 1L, Long::sum);
            }
            for (Socket socket : held) {
                assertThat(socket.isConnected()).isTrue();
            }
            assertThat(client.send(ping()).status()).isEqualTo(200);
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
        long growth = usedHeap() - before;
        assertThat(String.join("\n\n", breaks.values())).isEmpty();
        attack.figure("requests", REQUESTS)
                .figure("operations", operations.size())
                .figure("other bytes", RAW)
                .figure("connections closed without an answer", statuses.getOrDefault(0, 0L))
                .figure("answers 400 to 499", sum(statuses, 400))
                .figure("answers 200 to 299", sum(statuses, 200))
                .figure("half requests held", held.size())
                .figure("growth of the heap, in MB", growth >> 20)
                .end();
        assertThat(growth).isLessThan(MAX_GROWTH_BYTES);
        assertThat(sum(statuses, 200)).isGreaterThan(REQUESTS / 10);
        assertThat(sum(statuses, 400)).isGreaterThan(REQUESTS / 3);
        assertThat(operations).hasSizeGreaterThan(120);
    }

    private Answer send(Hostile hostile, Set<String> operations, Map<String, String> breaks) throws IOException {
        operations.add(hostile.routeKey());
        byte[] bytes = RawClient.bytes(hostile, KEY);
        try {
            Answer answer = client.send(bytes);
            // What the server refuses before a function gets it names no instance.
            boolean byFunction = answer.status() > 0 && answer.status() < 400
                    || answer.body().contains("\"instance\"");
            if (byFunction && !hostile.headers().containsKey("expect") && isOwnRoute(hostile)) {
                ApiContract.check(RawClient.exchange(hostile, KEY, answer));
            }
            note(answer, bytes, breaks);
            return answer;
        } catch (AssertionError | UncheckedIOException e) {
            broke("" + e.getMessage(), bytes, breaks);
            return Answer.NONE;
        }
    }

    /** A path with dots or an encoded slash may be that of another route. */
    private static boolean isOwnRoute(Hostile hostile) {
        return hostile.parameters().values().stream().noneMatch(value -> value.matches("\\.{1,2}|.*[/%].*"));
    }

    private Answer sendRaw(Map<String, String> breaks) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= random.nextInt(3); i++) {
            text.append(pick(STARTS)).append("\r\n");
            int headers = random.nextInt(5);
            for (int j = 0; j < headers; j++) {
                text.append(pick(HEADERS)).append("\r\n");
            }
            text.append(random.nextInt(4) == 0 ? "" : "\r\n").append(pick(BODIES));
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; bytes.length > 0 && i < random.nextInt(3); i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        if (random.nextInt(6) == 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
        }
        try {
            Answer answer = client.send(bytes);
            note(answer, bytes, breaks);
            return answer;
        } catch (AssertionError e) {
            broke("" + e.getMessage(), bytes, breaks);
            return Answer.NONE;
        }
    }

    private void note(Answer answer, byte[] bytes, Map<String, String> breaks) {
        if (answer.status() >= 500 && !ALLOWED.contains(answer.status())) {
            broke(answer.status() + " " + answer.body(), bytes, breaks);
        }
        if (answer.body().matches("(?s).*(Exception|\\.java:|at dev\\.agenthealth).*")
                && answer.headers().getOrDefault("content-type", "").contains("problem")) {
            broke("an internal name: " + answer.body(), bytes, breaks);
        }
    }

    private static void broke(String how, byte[] bytes, Map<String, String> breaks) {
        String sent = new String(bytes, StandardCharsets.ISO_8859_1);
        breaks.putIfAbsent(
                how.substring(0, Math.min(160, how.length())),
                how.substring(0, Math.min(1_500, how.length())) + "\n  sent: "
                        + sent.substring(0, Math.min(1_500, sent.length())));
    }

    /** Connections with nothing, half a head or half a body, which are held all the time. */
    private List<Socket> hold() throws IOException {
        List<Socket> held = new ArrayList<>();
        List<String> halves = List.of(
                "",
                "GET /api",
                "GET /api/v1/ping HTTP/1.1\r\nHost: x\r\nX-",
                "POST /api/v1/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
        for (int i = 0; i < HELD; i++) {
            Socket socket = new Socket("127.0.0.1", port);
            socket.getOutputStream().write(halves.get(i % halves.size()).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            held.add(socket);
        }
        return held;
    }

    private Map<String, List<String>> known() throws IOException {
        String body =
                """
                {"agent_id":"a","role_id":"r","owner_key_id":"administrator"}\
                """;
        String register = "POST /api/v1/agents HTTP/1.1\r\nHost: localhost\r\nX-API-Key: " + KEY
                + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n"
                + body;
        assertThat(client.send(register.getBytes(StandardCharsets.US_ASCII)).status())
                .isEqualTo(201);
        return Map.of("agent_id", List.of("a", "agent_billing_01"), "role_id", List.of("r"), "name", List.of("n"));
    }

    private static byte[] ping() {
        return "GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII);
    }

    private String pick(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static long sum(Map<Integer, Long> statuses, int from) {
        return statuses.entrySet().stream()
                .filter(status -> status.getKey() >= from && status.getKey() < from + 100)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
