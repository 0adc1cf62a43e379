package dev.agenthealth.local.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.emulator.http.RawRequest;
import dev.agenthealth.emulator.http.RawResponse;
import dev.agenthealth.emulator.http.WebServer;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.functions.runtime.wiring.MailServer.Mail;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A registry whose public address has a path, behind a proxy that strips it. Nothing but the path leads to the registry. */
class BelowAPathTest {

    private static final String KEY = "administrator-key-of-the-test";
    private static final String PREFIX = "/teams/registry";
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
    private static final Pattern IMPORT = Pattern.compile("from '([.]/[^']+)'");
    private static final Pattern ABSOLUTE = Pattern.compile("fetch\\(['`]/|(?:href|src)=[\"'`]/|assign\\(['`]/");

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final MutableClock CLOCK = MutableClock.atExampleTime();
    private static final List<Mail> MAILS = new CopyOnWriteArrayList<>();

    private static WebServer proxy;
    private static LocalSystem system;
    private static String base;

    @BeforeAll
    static void start() throws IOException {
        proxy = WebServer.bind("127.0.0.1", 0, "proxy", EmulatorLog.none());
        base = "http://127.0.0.1:" + proxy.port() + PREFIX;
        system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .publicUrl(base)
                .clock(CLOCK, CLOCK::advance)
                .byHand()
                .allowLoopbackEndpoints()
                .mailServer(MAILS::add)
                .sweepPeriod(Duration.ofSeconds(5))
                .out(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)));
        proxy.start(BelowAPathTest::forward);
        register("agent_1");
    }

    @AfterAll
    static void stop() {
        proxy.close();
        system.close();
    }

    private static RawResponse forward(RawRequest request) {
        if (!request.rawPath().startsWith(PREFIX + "/")) {
            return RawResponse.problem(404, "not_the_registry", "Another service has this path.");
        }
        String query = request.rawQuery().isEmpty() ? "" : "?" + request.rawQuery();
        HttpRequest.Builder forwarded = HttpRequest.newBuilder(
                        URI.create(system.baseUrl() + request.rawPath().substring(PREFIX.length()) + query))
                .method(request.method(), BodyPublishers.ofByteArray(request.body()));
        for (String name : List.of("x-api-key", "content-type", "origin", "authorization")) {
            if (request.headers().containsKey(name)) {
                forwarded.header(name, request.header(name));
            }
        }
        HttpResponse<byte[]> response = send(forwarded.build(), BodyHandlers.ofByteArray());
        Map<String, List<String>> headers = new HashMap<>(response.headers().map());
        headers.keySet().removeAll(List.of("content-length", "date", "transfer-encoding", "connection"));
        return new RawResponse(response.statusCode(), headers, response.body());
    }

    private static <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return HTTP.send(request, handler);
        } catch (IOException e) {
            throw new AssertionError(request.uri() + " is not answered", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("no other thread interrupts this one", e);
        }
    }

    private static HttpResponse<String> call(String method, String url, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .method(method, BodyPublishers.ofString(body))
                .header("X-API-Key", KEY)
                .header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build(), BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) {
        try {
            return Json.read(response.body());
        } catch (IOException e) {
            throw new AssertionError(response.body(), e);
        }
    }

    private static HttpResponse<String> register(String id) {
        String body = "{\"agent_id\":\"" + id + "\",\"listed\":true,\"endpoint\":\"http://127.0.0.1:9/a2a\","
                + "\"owner_key_id\":\"administrator\",\"heartbeat_config\":"
                + "{\"interval_seconds\":5,\"unhealthy_after_seconds\":10,\"dead_after_seconds\":20}}";
        HttpResponse<String> answer = call("POST", base + "/api/v1/agents", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return answer;
    }

    /** Checks that every address on the proxy's host is below the path, and returns them. */
    private static List<String> addresses(String text) {
        String host = "http://127.0.0.1:" + proxy.port();
        List<String> found = Pattern.compile(Pattern.quote(host) + "[^\"\\s\\\\]*")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(found).as(text).allSatisfy(address -> assertThat(address).startsWith(base));
        assertThat(text).doesNotContain(system.baseUrl());
        return found;
    }

    @Test
    void a_registration_leads_to_the_agent_and_a_ping_address_works() {
        String location = register("agent_2").headers().firstValue("Location").orElseThrow();
        assertThat(location).isEqualTo(PREFIX + "/api/v1/agents/agent_2");
        assertThat(call("GET", URI.create(base).resolve(location).toString(), "")
                        .statusCode())
                .isEqualTo(200);
        String ping = json(call("POST", base + "/api/v1/agents/agent_2/ping-url", ""))
                .path("ping_url")
                .textValue();
        assertThat(ping).startsWith(base + "/p/agent_2.");
        assertThat(call("GET", ping, "").statusCode()).isEqualTo(200);
    }

    @Test
    void cards_documents_and_catalogues_name_addresses_that_are_answered() {
        List<String> found = new ArrayList<>();
        for (String path : List.of(
                "/agents/agent_1/.well-known/agent-card.json?via=gateway",
                "/agents/agent_1/.well-known/agent.json?via=gateway",
                "/agents/agent_1/.well-known/agent-card.json",
                "/agents/agent_1/.well-known/agent-health",
                "/.well-known/agent-health",
                "/.well-known/ard.json",
                "/.well-known/ai-catalog.json")) {
            HttpResponse<String> response = call("GET", base + path, "");
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            List<String> addresses = addresses(response.body());
            assertThat(addresses).as(path).isNotEmpty();
            found.addAll(addresses);
        }
        for (String address : found) {
            assertThat(call("GET", address, "").statusCode())
                    .as(address)
                    // Calls of agents are sent by POST.
                    .isIn(200, address.contains("/a2a/") || address.endsWith("/mcp") ? 405 : 200);
        }
    }

    @Test
    void a_card_is_signed_and_names_the_keys_below_the_path() {
        JsonNode card = json(call("GET", base + "/agents/agent_1/.well-known/agent-card.json", ""));
        String header = new String(
                Base64.getUrlDecoder().decode(card.at("/signatures/0/protected").textValue()), StandardCharsets.UTF_8);
        assertThat(addresses(header)).containsExactly(base + "/.well-known/jwks.json");
        assertThat(json(call("GET", base + "/.well-known/jwks.json", "")).path("keys"))
                .hasSize(1);
    }

    @Test
    void the_description_and_a_problem_are_below_the_path() {
        assertThat(json(call("GET", base + "/openapi.json", ""))
                        .at("/servers/0/url")
                        .textValue())
                .isEqualTo(PREFIX);
        assertThat(json(call("GET", base + "/api/v1/agents/none", ""))
                        .path("instance")
                        .textValue())
                .isEqualTo(PREFIX + "/api/v1/agents/none");
    }

    @Test
    void mcp_takes_the_origin_of_the_page_and_no_other() {
        String body = """
                {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
                """;
        String origin = base.substring(0, base.length() - PREFIX.length());
        assertThat(call("POST", base + "/mcp", body, "Origin", origin).statusCode())
                .isEqualTo(200);
        assertThat(call("POST", base + "/mcp", body, "Origin", "https://other.example")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void the_page_reads_its_files_below_the_path_and_asks_for_nothing_elsewhere() {
        String index = call("GET", base + "/", "").body();
        List<String> files = new ArrayList<>();
        LINK.matcher(index).results().forEach(link -> files.add(base + "/" + link.group(1)));
        assertThat(files).hasSizeGreaterThan(5);
        for (int i = 0; i < files.size(); i++) {
            HttpResponse<String> file = call("GET", files.get(i), "");
            assertThat(file.statusCode()).as(files.get(i)).isEqualTo(200);
            if (files.get(i).endsWith(".js")) {
                assertThat(ABSOLUTE.matcher(file.body()).results())
                        .as(files.get(i))
                        .isEmpty();
                URI module = URI.create(files.get(i));
                IMPORT.matcher(file.body())
                        .results()
                        .map(found -> module.resolve(found.group(1)).toString())
                        .filter(found -> !files.contains(found))
                        .forEach(files::add);
            }
        }
        assertThat(files).anyMatch(file -> file.endsWith("/registry.js"));
    }

    @Test
    void a_client_and_its_heartbeats_reach_the_registry() {
        try (AgentHealthClient client =
                AgentHealthClient.builder(base + "/").apiKey(KEY).build()) {
            assertThat(client.agents().get("agent_1").agentId()).isEqualTo("agent_1");
        }
        assertThat(call("POST", base + "/api/v1/agents/agent_1/heartbeat/", "").statusCode())
                .isIn(200, 410);
    }

    @Test
    void messages_and_problems_lead_to_the_page_below_the_path() {
        ObjectNode rule = Json.object().put("group_seconds", 20);
        rule.putArray("events").add("agent.lifecycle");
        rule.putObject("target").put("type", "email").put("address", "on-call@example.com");
        assertThat(call("PUT", base + "/v1/admin/notifications/mail", rule.toString())
                        .statusCode())
                .isEqualTo(201);
        register("agent_3");
        for (int i = 0; i < 8; i++) {
            CLOCK.advanceSeconds(10);
            system.runSchedules();
            system.drainStreams();
            system.drainQueues();
        }
        assertThat(MAILS).isNotEmpty();
        assertThat(addresses(MAILS.get(0).text())).isNotEmpty();
        HttpResponse<String> problems = call("GET", base + "/api/v1/problems", "");
        assertThat(addresses(problems.body())).isNotEmpty().allMatch(url -> url.startsWith(base + "/#/problems/"));
    }
}
