package dev.agenthealth.functions.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.testing.EveryKindOfItem;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.ApiDescription;
import dev.agenthealth.testkit.ApiDescription.Operation;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.CapturedOutput;
import dev.agenthealth.testkit.HostileRequests;
import dev.agenthealth.testkit.HostileRequests.Hostile;
import dev.agenthealth.testkit.RequestMeter;
import dev.agenthealth.testkit.TableContents;
import dev.agenthealth.testkit.TestJson;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests for every operation of the description, valid and broken, to a system with items of every kind. None fails inside or takes long, a
 * refused one changes nothing, every answer is as described, and an answer about invalid fields names each.
 */
@Tag(Attack.TAG)
class HostileRequestsTest {

    private static final int ROUNDS = Attack.size(2, 50);
    private static final int REQUESTS_PER_ROUND = Attack.size(1_500, 2_000);
    private static final long MAX_CPU_MILLIS = 3_000;
    private static final long MAX_GROWTH_BYTES = 48L << 20;

    /** The codes of a failure elsewhere: of the agent that is called, or of the identity provider. */
    private static final Set<Integer> OF_OTHERS = Set.of(502, 503, 504);

    /**
     * What is kept of requests that are refused, as the documents say: entries of the audit log, the rate of calls of a key, and activity of agents
     * that are gone or blocked.
     */
    private static final List<String> KEPT_OF_REFUSALS = List.of(
            "request.refused", "pk=AttributeValue(S=L#", "sk=AttributeValue(S=3)", "pk=AttributeValue(S=GHOSTS)");

    private static final Pattern FAULT = Pattern.compile("^/([^/:]+)|^: .* property '([^']+)'");

    private static final List<String> KEYS = List.of(
            TestSystem.ADMINISTRATOR_KEY,
            TestSystem.ADMINISTRATOR_KEY,
            TestSystem.ADMINISTRATOR_KEY,
            EveryKindOfItem.AGENT_KEY,
            EveryKindOfItem.AGENT_KEY,
            EveryKindOfItem.COORDINATOR_KEY,
            EveryKindOfItem.REVOKED_KEY,
            "unknown");

    private final Attack attack = Attack.begin("hostile-requests");
    private final Random random = new Random(attack.seed());
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<String, String> breaks = new TreeMap<>();
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final Set<String> succeeded = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private long unchanged;
    private long named;
    private long slowest;

    @Test
    void no_request_breaks_a_promise() {
        List<Long> heap = new ArrayList<>();
        for (int i = 0; i < ROUNDS && breaks.size() < 40; i++) {
            round();
            heap.add(usedHeap());
        }
        assertThat(String.join("\n\n", breaks.values())).isEmpty();
        int operations = new HostileRequests(random, Map.of()).operations().size();
        attack.figure("requests", (long) ROUNDS * REQUESTS_PER_ROUND)
                .figure("operations", operations)
                .figure("operations that accepted one", succeeded.size())
                .figure("operations that refused one", refused.size())
                .figure("accepted", sum(200, 399))
                .figure("refused", sum(400, 499))
                .figure("refused without any write", unchanged)
                .figure("answers that named every invalid field", named)
                .figure("answers 500", sum(500, 500))
                .figure("most CPU of one request, in ms", slowest)
                .figure("growth of the heap, in MB", (heap.get(heap.size() - 1) - heap.get(0)) >> 20)
                .end();
        assertThat(heap.get(heap.size() - 1) - heap.get(0)).isLessThan(MAX_GROWTH_BYTES);
        assertThat(refused).hasSizeGreaterThan(operations * 9 / 10);
        assertThat(succeeded).hasSizeGreaterThan(operations * Attack.size(5, 8) / 10);
        assertThat(named).isGreaterThan(REQUESTS_PER_ROUND / 20);
    }

    /** Null means absent, which the description has to say of each field: the exchange is compared with it. */
    @Test
    void a_field_that_may_be_left_out_may_be_null() {
        try (EveryKindOfItem items = new EveryKindOfItem()) {
            Map<String, String> path = new HashMap<>();
            known(items).forEach((name, values) -> path.put(name, values.get(0)));
            ApiDescription description = ApiDescription.ofProject();
            for (Operation operation : description.operations().values()) {
                JsonNode schema =
                        description.resolved(operation.json().at("/requestBody/content/application~1json/schema"));
                Set<String> fields = new TreeSet<>();
                schema.path("properties").fieldNames().forEachRemaining(fields::add);
                schema.path("required").forEach(name -> fields.remove(name.asText()));
                for (String field : fields) {
                    ObjectNode body = operation.example().deepCopy();
                    byte[] bytes = TestJson.text(body.putNull(field)).getBytes(StandardCharsets.UTF_8);
                    Hostile hostile = new Hostile(
                            operation.routeKey(),
                            path,
                            Map.of(),
                            Map.of("if-match", "*"),
                            new Hostile.Content(true, bytes, Set.of()),
                            true);
                    Response response = request(items, hostile)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send();
                    assertThat(response.status()).isLessThan(500);
                }
            }
        }
    }

    private long sum(int from, int to) {
        return statuses.entrySet().stream()
                .filter(status -> status.getKey() >= from && status.getKey() <= to)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void round() {
        try (CapturedOutput log = new CapturedOutput();
                EveryKindOfItem items = new EveryKindOfItem()) {
            HostileRequests requests = new HostileRequests(new Random(random.nextLong()), known(items));
            TableContents before = contents(items);
            for (int i = 0; i < REQUESTS_PER_ROUND; i++) {
                items.system().clock().advanceSeconds(1);
                Hostile hostile = requests.next();
                RequestMeter meter = items.system().ledger();
                meter.reset();
                Request request = request(items, hostile);
                long begun = threads.getCurrentThreadCpuTime();
                int status;
                try {
                    Response response = request.send();
                    status = response.status();
                    check(hostile, response, log);
                } catch (RuntimeException | AssertionError e) {
                    broke(hostile, e.getClass().getSimpleName() + firstFrame(e), e.getMessage());
                    status = 0;
                }
                long millis = (threads.getCurrentThreadCpuTime() - begun) / 1_000_000;
                slowest = Math.max(slowest, millis);
                if (millis > MAX_CPU_MILLIS) {
                    broke(hostile, "slow", millis + " ms");
                }
                if (meter.writeUnits() == 0) {
                    unchanged += status >= 400 ? 1 : 0;
                } else {
                    TableContents after = contents(items);
                    // What a superseded process did counts, although its heartbeat is refused.
                    boolean isOutcome = status == 410 && hostile.routeKey().endsWith("/heartbeat");
                    if (status >= 400 && status < 500 && !isOutcome && !after.equals(before)) {
                        broke(hostile, "changed by " + status, difference(before, after));
                    }
                    before = after;
                }
            }
        }
    }

    private static String firstFrame(Throwable e) {
        return e instanceof AssertionError
                ? " " + e.getMessage().lines().skip(1).limit(1).collect(Collectors.joining())
                : " at " + e.getStackTrace()[0];
    }

    private void check(Hostile hostile, Response response, CapturedOutput log) {
        int status = response.status();
        statuses.merge(status, 1L, Long::sum);
        (status < 400 ? succeeded : refused).add(hostile.routeKey());
        if (status >= 500 && !OF_OTHERS.contains(status)
                || status == 503 && !response.text().contains("provider")) {
            List<String> lines = log.lines();
            String failure = lines.subList(Math.max(0, lines.size() - 6), lines.size()).stream()
                    .filter(line -> line.contains("\"level\":\"ERROR\""))
                    .findFirst()
                    .orElse("");
            broke(
                    hostile,
                    status + " " + failure.replaceAll("\"(timestamp|subject)\":\"[^\"]*\"", ""),
                    response.text());
        }
        // Spans in protobuf are answered in protobuf.
        if (status == 400
                && response.header("Content-Type").contains("json")
                && response.json().path("error").asText().equals("invalid_request")) {
            checkNamed(hostile, response.json());
        }
    }

    /** Every field that was broken is named, where the answer is about fields of the body. */
    private void checkNamed(Hostile hostile, JsonNode problem) {
        Set<String> fields = StreamSupport.stream(problem.path("errors").spliterator(), false)
                .map(error -> error.path("field").asText())
                .collect(Collectors.toCollection(TreeSet::new));
        // An error of YAML names its line.
        if (fields.isEmpty() || fields.contains("") && !hostile.routeKey().startsWith("PUT /api/v1/workflows/")) {
            broke(hostile, "names no field", problem.toString());
        }
        Set<String> expected = invalidFields(hostile);
        // Outcomes with a heartbeat are taken or refused beside it.
        expected.removeAll(hostile.routeKey().endsWith("heartbeat") ? Set.of("outcomes", "batch_id") : Set.of());
        expected.removeIf(
                field -> fields.stream().anyMatch(named -> named.matches(Pattern.quote(field) + "([.\\[].*)?")));
        if (!expected.isEmpty() && fields.stream().anyMatch(hostile.damaged()::contains)) {
            broke(hostile, "does not name " + expected, problem.toString());
        }
        named++;
    }

    /** The top-level fields of the body that the description does not allow, of those that were broken. */
    private static Set<String> invalidFields(Hostile hostile) {
        Set<String> fields = new TreeSet<>();
        if (!hostile.damaged().isEmpty()) {
            JsonNode body;
            try {
                // The validator of the tests writes every digit of a number.
                body = TestJson.read(new String(hostile.body(), StandardCharsets.UTF_8).replace("E999999999", "E99"));
            } catch (AssertionError unreadable) {
                // A parameter was refused before.
                return fields;
            }
            JsonNode schema = ApiDescription.ofProject()
                    .operation(hostile.routeKey())
                    .json()
                    .at("/requestBody/content/application~1json/schema");
            for (String fault : ApiContract.faults(schema, body)) {
                Matcher place = FAULT.matcher(fault);
                if (place.find()) {
                    fields.add(place.group(1) == null ? place.group(2) : place.group(1));
                }
            }
            fields.retainAll(hostile.damaged());
            // A heartbeat that says a time is never refused for it.
            fields.removeIf(field -> hostile.routeKey().endsWith("/heartbeat")
                    && field.equals("client_timestamp")
                    && body.hasNonNull(field));
        }
        return fields;
    }

    private void broke(Hostile hostile, String how, String what) {
        String body = new String(hostile.body(), StandardCharsets.UTF_8);
        breaks.putIfAbsent(
                hostile.routeKey() + " " + how.substring(0, Math.min(200, how.length())),
                hostile.routeKey() + "\n  " + how + "\n  " + cut(what) + "\n  path " + cut("" + hostile.parameters())
                        + " query " + cut("" + hostile.query()) + " headers " + cut("" + hostile.headers())
                        + "\n  body "
                        + cut(body));
    }

    private static String cut(String text) {
        return text == null ? "null" : text.substring(0, Math.min(900, text.length()));
    }

    private Request request(EveryKindOfItem items, Hostile hostile) {
        String path = hostile.pathTemplate();
        for (Map.Entry<String, String> parameter : hostile.parameters().entrySet()) {
            path = path.replace("{" + parameter.getKey() + "}", parameter.getValue());
        }
        Request request = items.api().request(hostile.method(), path).from("198.51.100." + random.nextInt(250));
        request.key(KEYS.get(random.nextInt(KEYS.size())));
        hostile.headers().forEach(request::header);
        hostile.query().forEach(request::query);
        if (hostile.hasBody() && random.nextBoolean()) {
            request.body(new String(hostile.body(), StandardCharsets.UTF_8));
        } else if (hostile.hasBody()) {
            request.body(hostile.body());
        }
        return request;
    }

    private static TableContents contents(EveryKindOfItem items) {
        TableContents contents = TableContents.of(items.system().tables());
        contents.items().removeIf(item -> KEPT_OF_REFUSALS.stream().anyMatch(item.toString()::contains));
        return contents;
    }

    private static String difference(TableContents before, TableContents after) {
        return "added or changed: "
                + after.items().stream()
                        .filter(item -> !before.items().contains(item))
                        .toList()
                + " removed: "
                + before.items().stream()
                        .filter(item -> !after.items().contains(item))
                        .toList();
    }

    private static Map<String, List<String>> known(EveryKindOfItem items) {
        String token = items.api()
                .post("/api/v1/agents/" + EveryKindOfItem.OTHER + "/ping-url")
                .key(EveryKindOfItem.AGENT_KEY)
                .send()
                .json()
                .path("ping_url")
                .asText();
        return Map.ofEntries(
                Map.entry("agent_id", List.of(EveryKindOfItem.AGENT, EveryKindOfItem.OTHER, EveryKindOfItem.ARCHIVED)),
                Map.entry("intent_id", List.of("invoice")),
                Map.entry("lease_id", List.of(items.lease())),
                Map.entry("receipt_id", List.of(items.receipt(), items.waiting())),
                Map.entry("key_id", List.of(EveryKindOfItem.COORDINATOR_KEY, EveryKindOfItem.REVOKED_KEY)),
                Map.entry(
                        "name",
                        List.of("invoices", "on-call", "deployment", "partners", "cluster", EveryKindOfItem.MARKER)),
                Map.entry("role_id", List.of("billing")),
                Map.entry("provider_id", List.of("acme")),
                Map.entry("host", List.of(EveryKindOfItem.HOST)),
                Map.entry("token", List.of(token.substring(token.lastIndexOf('/') + 1))),
                Map.entry("signal", List.of("start", "fail", "0", "3")),
                Map.entry(
                        "problem_id",
                        List.of(ProblemId.of("agent:" + EveryKindOfItem.AGENT).toString())));
    }
}
