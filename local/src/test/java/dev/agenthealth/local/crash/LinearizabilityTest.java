package dev.agenthealth.local.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agenthealth.local.StackNode;
import dev.agenthealth.local.crash.HistoryChecker.Verdict;
import dev.agenthealth.local.crash.HistoryClient.Part;
import dev.agenthealth.local.crash.HistoryClient.Server;
import dev.agenthealth.local.runtime.TablesOverHttp;
import dev.agenthealth.template.Stack;
import dev.agenthealth.testkit.Attack;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many clients use leases and agents while the registry is killed (SIGKILL), stopped for seconds (SIGSTOP) and started again, and while they themselves
 * give up requests. To each of them the registry must look as if it processed one request after the other, each at a moment between its call and its answer.
 */
@Tag("exhaustive")
@Tag("other-programs")
@Tag(Attack.TAG)
class LinearizabilityTest {

    private static final Path FOLDER = Path.of("target/linearizability");
    private static final int PARTS = 4;
    private static final int CLIENTS = LeaseClients.AGENTS;
    private static final int FAULTS_OF_ROUND = Attack.size(3, 8);
    private static final Duration LENGTH = Duration.ofSeconds(Attack.size(0, 600));
    private static final int ANSWERS_BETWEEN_FAULTS = Attack.size(100, 150);
    private static final int MAX_ATTEMPTS = 20;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int SECONDS_FOR_PART = Attack.size(20, 300);
    private static final long DATABASE_NANOS = 2_000_000_000L;
    private static final int MILLIS_BETWEEN_REQUESTS = 25;

    /** Answers that every run has to get. */
    private static final String[] SOME = {
        "agent register 201",
        "agent heartbeat 200",
        "agent heartbeat unknown",
        "agent patch 200",
        "agent read 200",
        "lease restart 201",
        "lease acquire 201",
        "lease acquire 409 lease_held",
        "lease acquire unknown",
        "lease read 200"
    };

    /** Answers that a long run has to get besides. */
    private static final String[] ALL = {
        "agent register 409 agent_exists",
        "agent register 409 agent_already_running",
        "agent register unknown",
        "agent heartbeat 410 superseded",
        "agent heartbeat 410 agent_gone",
        "agent patch 412 version_mismatch",
        "agent patch 409 agent_gone",
        "agent patch unknown",
        "agent deregister 204",
        "agent deregister 410 superseded",
        "agent deregister unknown",
        "lease restart unknown",
        "lease acquire 200",
        "lease acquire 409 lease_just_expired",
        "lease acquire 410 superseded",
        "lease renew 200",
        "lease renew 412 lease_not_in_force",
        "lease renew unknown",
        "lease release 204",
        "lease release unknown",
        "lease revoke 200",
        "lease verify 200",
        "lease verify 412 fencing_token_stale",
        "lease verify 412 lease_not_in_force"
    };

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2 * PARTS * CLIENTS);
    private final Collection<String> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> answers = new TreeMap<>();
    private final List<Verdict> verdicts = new ArrayList<>();

    @TempDir
    private Path folder;

    private final List<KilledRegistry> servers = new ArrayList<>();
    private int kills;
    private int pauses;
    private Random random = new Random();

    @AfterEach
    void end() {
        threads.shutdownNow();
        servers.forEach(KilledRegistry::close);
    }

    @Test
    void some_order_explains_all_answers_of_a_registry_that_is_killed_and_stopped() throws Exception {
        servers.add(new KilledRegistry(folder));
        assertExplained("linearizability", LENGTH);
    }

    /** The functions on DynamoDB Local, in two processes of which one is killed or stopped while the other one goes on. */
    @Test
    void some_order_explains_all_answers_of_two_servers_of_a_stack() throws Exception {
        assumeTrue(Attack.isLong(), "two servers take another half a minute, which only the long form has");
        Stack stack = StackNode.stack(KilledRegistry.ADMINISTRATOR);
        try (TablesOverHttp tables = new TablesOverHttp(stack.tables())) {
            for (int i = 0; i < 2; i++) {
                Path own = Files.createDirectory(folder.resolve("server-" + i));
                servers.add(new KilledRegistry(
                        own,
                        List.of(StackNode.class.getName()),
                        Map.of(
                                "AWS_ENDPOINT_URL_DYNAMODB",
                                tables.url(),
                                "AWS_REGION",
                                "us-east-1",
                                "AWS_ACCESS_KEY_ID",
                                "local",
                                "AWS_SECRET_ACCESS_KEY",
                                "local")));
            }
            assertExplained("linearizability-stack", LENGTH.dividedBy(2));
        }
    }

    private void assertExplained(String name, Duration length) throws Exception {
        Attack attack = Attack.begin(name);
        random = new Random(attack.seed());
        HistoryChecker checker = HistoryChecker.in(FOLDER);
        Instant until = Instant.now().plus(length);
        int round = 0;
        do {
            RequestHistory history = new RequestHistory();
            servers.forEach(KilledRegistry::start);
            for (KilledRegistry server : servers) {
                server.awaitReady();
            }
            attack(history, "r" + round);
            Path file = FOLDER.resolve(name + "-" + round + ".jsonl");
            history.write(file);
            history.answers().forEach((answer, times) -> answers.merge(answer, times, Integer::sum));
            List<Verdict> found = checker.check(file, SECONDS_FOR_PART);
            verdicts.addAll(found);
            assertThat(found).hasSize(2 * PARTS).allSatisfy(verdict -> assertThat(verdict.isOk())
                    .as("%s", verdict)
                    .isTrue());
            assertThat(failures).isEmpty();
            round++;
        } while (Instant.now().isBefore(until));
        System.out.println(name + ": " + answers);
        assertMuchWasTried();
        attack.figure("requests", sum(Verdict::requests))
                .figure("requests without an answer", sum(Verdict::unanswered))
                .figure("kills", kills)
                .figure("pauses", pauses)
                .figure("histories checked", verdicts.size())
                .figure(
                        "milliseconds of the longest check",
                        verdicts.stream().mapToLong(Verdict::millis).max().orElse(0))
                .end();
    }

    private long sum(ToLongFunction<Verdict> figure) {
        return verdicts.stream().mapToLong(figure).sum();
    }

    /** Kills and pauses the servers under load; all are killed in the end. */
    private void attack(RequestHistory history, String round) throws Exception {
        List<Future<?>> load = startLoad(history, round);
        for (int i = 0; i < FAULTS_OF_ROUND; i++) {
            awaitAnswers(history);
            int number = random.nextInt(servers.size());
            KilledRegistry server = servers.get(number);
            server.runFor(Duration.ofMillis(random.nextInt(Attack.size(1_000, 3_000))));
            if (i % 2 == 0) {
                pauses++;
                server.pause();
                server.runFor(Duration.ofMillis(100 + random.nextInt(2_900)));
                if (random.nextInt(4) > 0) {
                    server.resume();
                    continue;
                }
            }
            kill(history, number);
            server.start();
            server.awaitReady();
        }
        awaitAnswers(history);
        assertThat(load).as("an exception ends a client").noneMatch(Future::isDone);
        load.forEach(client -> client.cancel(false));
        for (int i = 0; i < servers.size(); i++) {
            kill(history, i);
        }
    }

    /** A machine that is busy gets the time that it needs. */
    private void awaitAnswers(RequestHistory history) throws InterruptedException {
        int enough = history.answered() + ANSWERS_BETWEEN_FAULTS;
        Instant deadline = Instant.now().plus(PATIENCE);
        while (history.answered() < enough) {
            assertThat(Instant.now()).as("%s", history.answers()).isBefore(deadline);
            servers.get(0).runFor(Duration.ofMillis(20));
        }
    }

    private void kill(RequestHistory history, int number) throws InterruptedException {
        servers.get(number).kill();
        // A database of its own may still receive what a server sent to it.
        history.killed(number, history.now() + (servers.size() > 1 ? DATABASE_NANOS : 0));
        kills++;
    }

    private List<Future<?>> startLoad(RequestHistory history, String round) {
        List<Future<?>> load = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            String key = key(round + "-" + part);
            LeaseClients leases = new LeaseClients(round + "-l" + part, part % 2 == 1, history);
            AgentClients agents = new AgentClients(round + "-a" + part, part % 2 == 1, history);
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                Random choices = new Random(random.nextLong());
                int server = (part + i) % servers.size();
                HistoryClient ofLeases = client(key, server, history, leases.part(), number);
                HistoryClient ofAgents = client(key, server, history, agents.part(), number);
                Random others = new Random(random.nextLong());
                load.add(repeat(() -> leases.step(ofLeases, number, choices)));
                load.add(repeat(() -> agents.step(ofAgents, number, others)));
            }
        }
        return load;
    }

    private Future<?> repeat(Runnable step) {
        return threads.scheduleWithFixedDelay(
                step, random.nextInt(MILLIS_BETWEEN_REQUESTS), MILLIS_BETWEEN_REQUESTS, TimeUnit.MILLISECONDS);
    }

    private HistoryClient client(String key, int server, RequestHistory history, Part part, int number) {
        Random own = new Random(random.nextLong());
        Server target = new Server(server, servers.get(server).baseUrl());
        return new HistoryClient(http, target, key, history, part, number, own, failures);
    }

    /** The key of a coordinator, which may do all that clients of leases and agents do. */
    private String key(String name) {
        String body = "{\"role\":\"coordinator\",\"name\":\"" + name + "\"}";
        return Stream.generate(() -> servers.get(0).administrator("POST", "/v1/admin/keys", body))
                .limit(MAX_ATTEMPTS)
                .filter(KilledRegistry.Answer::isFinal)
                .map(answer -> answer.json().path("api_key").asText())
                .findFirst()
                .orElseThrow();
    }

    private void assertMuchWasTried() {
        assertThat(sum(Verdict::requests)).isGreaterThan(Attack.size(100, 2_000));
        assertThat(sum(Verdict::unanswered)).isGreaterThan(Attack.size(5, 200));
        assertThat(kills).isGreaterThan(Attack.size(1, 10));
        assertThat(pauses).isGreaterThan(Attack.size(1, 10));
        assertThat(answers).containsKeys(SOME);
        if (Attack.isLong()) {
            assertThat(answers).containsKeys(ALL);
        }
    }
}
