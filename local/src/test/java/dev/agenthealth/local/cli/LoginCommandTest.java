package dev.agenthealth.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** People sign in at a terminal: the registry, with the provider behind it, answers as each test says. */
class LoginCommandTest {

    private static final String PROVIDER =
            "'name':'acme','issuer':'https://sso','client_id':'page','scopes':'openid','device':";
    private static final String SIGN_IN = "/api/v1/sign-in";
    private static final String PENDING =
            "{'error':'sign_in_refused','detail':'Not yet.','provider_error':'authorization_pending'}";

    @TempDir
    private Path folder;

    @AutoClose
    private final ScriptedServer registry = ScriptedServer.http();

    private final Map<String, Iterator<Script>> answers = new ConcurrentHashMap<>();
    private final List<Long> pauses = new ArrayList<>();
    private final List<String> pages = new ArrayList<>();
    private UnaryOperator<String> browser = address -> address;

    @BeforeEach
    void start() {
        registry.plays((request, out) -> answers.getOrDefault(
                        request.line().split(" ")[1],
                        List.of(Script.status(404)).iterator())
                .next()
                .play(request, out));
        answers("/api/v1/me", json(200, "{'name':'anna@example.com','role':'viewer'}"));
        answers(SIGN_IN, json(200, "{'providers':[{" + PROVIDER + "true}]}"));
        answers(
                SIGN_IN + "/acme/device",
                json(
                        200,
                        "{'device_code':'dev','user_code':'WDJB','verification_uri':'https://sso/d','expires_in':60,'interval':2}"));
    }

    private static Script json(int status, String json) {
        String body = json.replace('\'', '"');
        return Script.bytes(
                "HTTP/1.1 " + status + " X\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    private static Script token(String token, int seconds) {
        return json(200, "{'token':'" + token + "','expires_in':" + seconds + ",'refresh_token':'next-" + token + "'}");
    }

    /** Gives these in order, and the last from then on. */
    private void answers(String path, Script... scripts) {
        Stream<Script> forever = Stream.iterate(scripts[scripts.length - 1], same -> same);
        answers.put(path, Stream.concat(Arrays.stream(scripts), forever).iterator());
    }

    private String url() {
        return "http://127.0.0.1:" + registry.port();
    }

    private Map<String, String> environment(String... more) {
        Map<String, String> environment = new HashMap<>(Map.of("AGENT_HEALTH_URL", url(), "HOME", folder.toString()));
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    private CommandRun login(String... arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.contains("/authorize?")) {
                    browser.apply(line);
                }
            }
        };
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(environment(), out, new PrintStream(errors, true), false);
        int status = new CommandLine(new LoginCommand(terminal, pauses::add))
                .setDefaultValueProvider(new EnvironmentDefaults(terminal))
                .setParameterExceptionHandler((failure, given) -> failed(failure, errors, ExitStatus.USAGE))
                .setExecutionExceptionHandler((failure, command, result) -> failed(
                        failure,
                        errors,
                        failure instanceof CommandLine.ParameterException ? ExitStatus.USAGE : ExitStatus.FAILED))
                .execute(arguments);
        return new CommandRun(
                status, printed.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    private static int failed(Exception failure, ByteArrayOutputStream errors, int status) {
        errors.writeBytes(failure.getMessage().getBytes(StandardCharsets.UTF_8));
        return status;
    }

    private List<Path> files() throws IOException {
        Path configuration = folder.resolve(".config/agent-health");
        try (Stream<Path> files = Files.exists(configuration) ? Files.list(configuration) : Stream.empty()) {
            return files.filter(file -> file.toString().endsWith(".json")).toList();
        }
    }

    private List<String> bodies(String path) {
        return registry.requests().stream()
                .filter(request -> request.line().split(" ")[1].equals(path))
                .map(ScriptedServer.Request::body)
                .toList();
    }

    private void signedIn(String token, int seconds) {
        answers(SIGN_IN + "/acme/token", token(token, seconds));
        assertThat(login().status()).isZero();
    }

    @Test
    void a_device_asks_until_the_person_has_confirmed() throws IOException {
        answers(
                SIGN_IN + "/acme/token",
                json(400, PENDING),
                json(400, PENDING.replace("authorization_pending", "slow_down")),
                json(503, "{'error':'identity_provider_unavailable','detail':'Away.'}"),
                token("t1", 300));
        CommandRun run = login();

        assertThat(run.errors()).isEmpty();
        assertThat(run.out())
                .contains("Open https://sso/d in a browser and enter the code WDJB")
                .contains("Signed in at " + url() + " as anna@example.com (viewer)")
                .doesNotContain("t1", "dev");
        assertThat(pauses).containsExactly(2L, 2L, 7L, 12L);
        assertThat(bodies(SIGN_IN + "/acme/token")).hasSize(4).allSatisfy(body -> assertThat(body)
                .contains("\"device_code\":\"dev\"", "grant_type"));
        assertThat(files()).singleElement().satisfies(file -> {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(file)).contains("t1");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    400 | {'error':'sign_in_refused','detail':'Denied.','provider_error':'access_denied'} | Denied.
                    400 | {'error':'sign_in_refused','detail':'Not yet.','provider_error':'authorization_pending'} | The code has ended
                    """)
    void a_refusal_and_the_end_of_the_code_keep_nothing(int status, String answer, String message) throws IOException {
        answers(SIGN_IN + "/acme/token", json(status, answer));
        CommandRun run = login();
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.errors()).contains(message);
        assertThat(files()).isEmpty();
    }

    @Test
    void a_person_without_a_grant_is_not_signed_in() throws IOException {
        answers(SIGN_IN + "/acme/token", token("t1", 300));
        answers("/api/v1/me", json(403, "{'error':'not_granted','detail':'Nothing is granted to you.'}"));
        CommandRun run = login();
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.errors()).contains("not signed in: Nothing is granted to you.");
        assertThat(files()).isEmpty();
    }

    private static Map<String, String> query(String address) {
        Map<String, String> query = new HashMap<>();
        for (String pair : URI.create(address).getRawQuery().split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    private String visit(String address) {
        try {
            pages.add(HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString())
                    .body());
            return address;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void byBrowser(String answer) {
        answers(
                SIGN_IN,
                json(200, "{'providers':[{" + PROVIDER + "false,'authorization_endpoint':'https://sso/authorize'}]}"));
        answers(SIGN_IN + "/acme/token", token("t2", 300));
        browser = address -> {
            Map<String, String> query = query(address);
            visit(query.get("redirect_uri") + "?code=stolen&state=wrong");
            visit(query.get("redirect_uri") + "?code=foreign&iss=https://other&state=" + query.get("state"));
            return visit(query.get("redirect_uri") + answer + "&state=" + query.get("state"));
        };
    }

    @Test
    void a_browser_brings_the_code_and_a_wrong_state_is_ignored() throws IOException {
        byBrowser("?code=c1");
        CommandRun run = login();

        assertThat(run.errors()).isEmpty();
        assertThat(pages)
                .containsExactly(
                        "The terminal waits for another sign-in.",
                        "The terminal waits for another sign-in.",
                        "Go back to the terminal: this page can be closed.");
        assertThat(bodies(SIGN_IN + "/acme/token")).singleElement().satisfies(body -> assertThat(body)
                .contains("\"c1\"", "code_verifier", "http://127.0.0.1:")
                .doesNotContain("stolen"));
        assertThat(run.out()).contains("code_challenge_method=S256", "client_id=page", "scope=openid");
        assertThat(files()).hasSize(1);
    }

    @Test
    void a_refusal_of_the_provider_comes_with_the_browser_too() {
        byBrowser("?error=access_denied&error_description=No+way");
        CommandRun run = login();
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.errors()).contains("The identity provider refuses: No way");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {'providers':[]}                                 |         | 1 | no identity provider is configured
                    {'providers':[{'name':'a'},{'name':'b'}]}         |         | 2 | a, b
                    {'providers':[{'name':'a'},{'name':'b'}]}         | other   | 2 | no identity provider 'other': a, b
                    {'providers':[{'name':'a','device':false}]}       |         | 1 | 'a' does not answer
                    """)
    void what_cannot_begin_says_why(String providers, String name, int status, String message) {
        answers(SIGN_IN, json(200, providers));
        CommandRun run = name == null ? login() : login("--provider", name);
        assertThat(run.errors()).contains(message);
        assertThat(run.status()).isEqualTo(status);
    }

    private CommandRun list() {
        answers("/v1/admin/keys", json(200, "{'keys':[]}"));
        return CommandRun.of(environment(), "keys", "list");
    }

    private String lastBearer() {
        return registry.requests().stream()
                .filter(request -> request.line().contains("/v1/admin/keys"))
                .reduce((first, last) -> last)
                .map(request -> request.headers().get("authorization"))
                .orElse("");
    }

    @Test
    void commands_use_the_sign_in_and_refresh_it_before_it_ends() {
        signedIn("t1", 300);
        assertThat(list().status()).isZero();
        assertThat(lastBearer()).isEqualTo("Bearer t1");

        signedIn("t2", 0);
        answers(SIGN_IN + "/acme/token", token("t3", 300));
        assertThat(list().errors()).isEqualTo("no key is in force\n");
        assertThat(lastBearer()).isEqualTo("Bearer t3");
        assertThat(bodies(SIGN_IN + "/acme/token")).last().satisfies(body -> assertThat(body)
                .contains("\"refresh_token\":\"next-t2\""));
        assertThat(list().status()).isZero();
        assertThat(bodies(SIGN_IN + "/acme/token")).hasSize(3);
    }

    @Test
    void commands_at_once_refresh_once() {
        signedIn("t1", 0);
        answers(SIGN_IN + "/acme/token", token("t2", 300));
        answers("/v1/admin/keys", json(200, "{'keys':[]}"));
        List<CompletableFuture<CommandRun>> runs = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> CommandRun.of(environment(), "keys", "list")))
                .limit(4)
                .toList();
        assertThat(runs).allSatisfy(run -> assertThat(run.join().status()).isZero());
        assertThat(bodies(SIGN_IN + "/acme/token")).hasSize(2);
    }

    @Test
    void an_ended_sign_in_and_a_provider_that_is_down_are_told_apart() {
        signedIn("t1", 0);
        answers(SIGN_IN + "/acme/token", json(400, "{'error':'sign_in_refused','detail':'Token revoked.'}"));
        CommandRun ended = list();
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.errors()).contains("has ended. Token revoked. Sign in again with 'login'.");

        answers(SIGN_IN + "/acme/token", json(503, "{'error':'identity_provider_unavailable','detail':'Away.'}"));
        assertThat(list().errors()).contains("identity_provider_unavailable");
    }

    @Test
    void each_registry_has_its_own_sign_in_and_logout_ends_that_alone() throws IOException {
        signedIn("t1", 300);
        assertThat(login("--url", "http://localhost:" + registry.port() + "/").status())
                .isZero();
        assertThat(files()).hasSize(2);

        answers(SIGN_IN + "/acme/revoke", json(200, "{'revoked':true}"));
        assertThat(CommandRun.of(environment(), "logout").out()).isEqualTo("Signed out of " + url() + "\n");
        assertThat(bodies(SIGN_IN + "/acme/revoke")).containsExactly("{\"token\":\"next-t1\"}");
        assertThat(CommandRun.of(environment(), "logout").out()).startsWith("There is no sign-in at ");
        assertThat(files()).hasSize(1);
        assertThat(list().errors()).contains("'login' signs in");
    }

    @Test
    void logout_deletes_the_sign_in_whatever_the_provider_says_and_also_an_unreadable_one() throws IOException {
        signedIn("t1", 300);
        answers(SIGN_IN + "/acme/revoke", json(503, "{'error':'identity_provider_unavailable','detail':'Away.'}"));
        CommandRun run = CommandRun.of(environment(), "logout");
        assertThat(run.status()).isZero();
        assertThat(run.errors()).startsWith("The identity provider did not end the sign-in: ");
        assertThat(files()).isEmpty();
        signedIn("t1", 300);
        Files.writeString(files().get(0), "{");
        assertThat(CommandRun.of(environment(), "logout").status()).isZero();
        assertThat(files()).isEmpty();
    }
}
