package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.profile.AgentInterface;
import dev.agenthealth.model.registry.profile.Description;
import dev.agenthealth.testkit.Attack;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.TableContents;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid requests are refused, every error is reported, and nothing changes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag(Attack.TAG)
class BadInputTest {

    private TestSystem system;
    private RegistryClient client;
    private TestAgent agent;
    private TableContents before;

    @BeforeAll
    void open() {
        system = new TestSystem();
        client = new RegistryClient(system);
        agent = client.newAgent(",\"name\":\"untouched\",\"capabilities\":[\"kept\"]");
    }

    @BeforeEach
    void look() {
        before = TableContents.of(system.tables());
    }

    @AfterEach
    void nothingChanged() {
        assertThat(TableContents.of(system.tables())).isEqualTo(before);
    }

    @AfterAll
    void close() {
        system.close();
    }

    private static Stream<String> malformed() {
        return lines("bad-input/malformed.txt").map(line -> line.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    @Tag("R16-04")
    void a_body_that_is_no_json_object_is_refused(String body) {
        assertProblem(client.register(body), 400, "malformed_request");
        assertProblem(client.patchProfile(agent.id(), "*", body), 400, "malformed_request");
        assertProblem(client.patchStatus(agent.id(), "*", body), 400, "malformed_request");
    }

    private static Stream<Arguments> badFields() {
        return lines("bad-input/fields.txt").map(line -> {
            int bar = line.lastIndexOf(" | ");
            return Arguments.of(line.substring(0, bar), line.substring(bar + 3));
        });
    }

    @ParameterizedTest
    @MethodSource("badFields")
    @Tag("R16-01")
    @Tag("R16-04")
    void every_bad_field_of_a_registration_is_named(String body, String fields) {
        assertFields(client.register(body), fields);
    }

    @ParameterizedTest
    @MethodSource("badFields")
    @Tag("R16-01")
    void every_bad_field_of_a_profile_change_is_named(String body, String fields) {
        assertFields(client.patchProfile(agent.id(), "*", body), fields);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | status",
                "{\"status\":null} | status",
                "{\"status\":\"\"} | status",
                "{\"status\":5} | status",
                "{\"status\":[\"draining\"]} | status",
                "{\"status\":\"DRAINING\"} | status",
                "{\"status\":\"gone\"} | status",
                "{\"status\":\"draining\\u0000\"} | status",
                "{\"drain_timeout_seconds\":60} | status",
                "{\"status\":\"draining\",\"drain_timeout_seconds\":0} | drain_timeout_seconds",
                "{\"status\":\"draining\",\"drain_timeout_seconds\":-1} | drain_timeout_seconds",
                "{\"status\":\"draining\",\"drain_timeout_seconds\":86401} | drain_timeout_seconds",
                "{\"status\":\"draining\",\"drain_timeout_seconds\":1.5} | drain_timeout_seconds",
                "{\"status\":\"draining\",\"drain_timeout_seconds\":\"60\"} | drain_timeout_seconds",
                "{\"status\":\"draining\",\"drain_timeout_seconds\":1e400} | drain_timeout_seconds",
                "{\"status\":\"draining\",\"reason\":\"x\"} | reason",
                "{\"status\":\"x\",\"drain_timeout_seconds\":[],\"a\":1,\"b\":2} | status drain_timeout_seconds a b"
            })
    @Tag("R16-18")
    void every_bad_field_of_a_status_change_is_named(String body, String fields) {
        assertFields(client.patchStatus(agent.id(), "*", body), fields);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a/b",
                "..",
                "%2e",
                "é",
                "a\u0000",
                "a\n",
                "-a",
                " ",
                "01234567890123456789012345678901234567890123456789012345678901234"
            })
    @Tag("R16-23")
    void an_invalid_id_in_the_path_is_refused(String id) {
        String path = id.replace("/", "\u2215");
        for (Response response : List.of(
                client.get(path),
                client.delete(TestSystem.ADMINISTRATOR_KEY, path),
                client.patchProfile(path, "*", "{}"),
                client.patchStatus(path, "*", "{\"status\":\"draining\"}"))) {
            assertFields(response, "agent_id");
        }
    }

    @Test
    @Tag("R16-01")
    void one_capability_too_many_is_refused() {
        assertFields(
                client.register("{\"capabilities\":[" + tags(AgentInterface.MAX_CAPABILITIES + 1) + "]}"),
                "capabilities");
    }

    @Test
    @Tag("R16-01")
    void one_byte_of_metadata_too_many_is_refused() {
        assertFields(
                client.register("{\"metadata\":" + metadata(Description.MAX_METADATA_BYTES + 1) + "}"), "metadata");
        String inCharacters = "{\"k\":\"" + "é".repeat(Description.MAX_METADATA_BYTES / 2) + "\"}";
        assertFields(client.register("{\"metadata\":" + inCharacters + "}"), "metadata");
    }

    @Test
    @Tag("R16-01")
    void long_texts_are_refused() {
        assertFields(
                client.register("{\"name\":\"" + "n".repeat(201) + "\",\"endpoint\":\"http://x.example/"
                        + "p".repeat(2_048) + "\",\"model\":{\"name\":\"" + "m".repeat(201) + "\"}}"),
                "name endpoint model.name");
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 1_000, 40_000})
    @Tag("R16-04")
    void deep_nesting_is_refused(int depth) {
        assertProblem(
                client.register("{\"metadata\":" + "[".repeat(depth) + "]".repeat(depth) + "}"),
                400,
                "malformed_request");
        assertProblem(client.register("{\"a\":".repeat(depth) + "1" + "}".repeat(depth)), 400, "malformed_request");
        assertProblem(client.register("[".repeat(depth)), 400, "malformed_request");
    }

    @Test
    @Tag("R16-04")
    void large_bodies_are_refused_as_text_and_as_bytes() {
        String oneByteTooMany = "{\"name\":\"" + "x".repeat(ApiRequest.MAX_BODY_BYTES - 10) + "\"}";
        assertThat(oneByteTooMany.getBytes(StandardCharsets.UTF_8)).hasSize(ApiRequest.MAX_BODY_BYTES + 1);
        String inCharacters = "{\"name\":\"" + "é".repeat(ApiRequest.MAX_BODY_BYTES / 2) + "\"}";
        for (String body : List.of(oneByteTooMany, inCharacters, "x".repeat(1_000_000))) {
            assertProblem(client.register(body), 413, "payload_too_large");
            assertProblem(sendBytes(body.getBytes(StandardCharsets.UTF_8)), 413, "payload_too_large");
            assertProblem(client.patchProfile(agent.id(), "*", body), 413, "payload_too_large");
        }
    }

    @Test
    @Tag("R16-04")
    void the_largest_body_with_many_errors_is_refused_quickly() {
        String fields = IntStream.range(0, 22_000)
                .mapToObj(i -> "\"x" + Integer.toString(i, 36) + "\":1")
                .collect(Collectors.joining(","));
        Response response = client.register("{" + fields + "}");
        assertThat(response.status()).isEqualTo(400);
        assertThat(response.json().get("errors")).hasSize(22_000);
    }

    @Test
    @Tag("R16-04")
    void bytes_that_are_no_utf_8_are_refused() {
        for (byte[] bad : List.of(
                new byte[] {(byte) 0xff},
                new byte[] {(byte) 0xc3, 0x28},
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                new byte[] {(byte) 0xc0, (byte) 0x80},
                new byte[] {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
                new byte[] {(byte) 0xe2, (byte) 0x82})) {
            byte[] body = concat(
                    "{\"name\":\"".getBytes(StandardCharsets.UTF_8), bad, "\"}".getBytes(StandardCharsets.UTF_8));
            assertProblem(sendBytes(body), 400, "malformed_request");
        }
        assertProblem(sendBytes("{\"name\":\"x\"}".getBytes(StandardCharsets.UTF_16)), 400, "malformed_request");
        assertProblem(sendBytes(new byte[0]), 400, "malformed_request");
    }

    @Test
    @Tag("R16-04")
    void half_a_surrogate_pair_in_the_event_itself_is_refused() {
        assertProblem(client.register("{\"name\":\"a\ud800b\"}"), 400, "malformed_request");
    }

    @Test
    @Tag("R16-04")
    void a_registration_without_a_body_is_refused() {
        assertProblem(
                system.api()
                        .post(RegistryClient.AGENTS)
                        .key(TestSystem.AGENT_KEY)
                        .send(),
                400,
                "malformed_request");
        assertProblem(client.register(""), 400, "malformed_request");
        assertProblem(client.register(" \n\t"), 400, "malformed_request");
    }

    @Test
    @Tag("R16-04")
    void a_randomly_damaged_request_never_causes_a_server_error() {
        byte[] good = Resources.text("rfc-0016/registration-request.json")
                .replace("agent_billing_01", agent.id())
                .getBytes(StandardCharsets.UTF_8);
        Random random = new Random(16);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = good.clone();
            for (int j = 0; j <= random.nextInt(4); j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            byte[] body =
                    Arrays.copyOf(damaged, random.nextInt(4) == 0 ? random.nextInt(damaged.length) : damaged.length);
            // A harmless change leaves a valid request, for an id in use.
            Response response = patchBytes(body);
            assertThat(response.status())
                    .as(new String(body, StandardCharsets.UTF_8))
                    .isEqualTo(400);
        }
    }

    /** The fields of a status change are different, so no damage makes it valid. */
    private Response patchBytes(byte[] body) {
        return system.api()
                .patch(RegistryClient.AGENTS + "/" + agent.id() + "/status")
                .key(TestSystem.AGENT_KEY)
                .header("if-match", "*")
                .body(body)
                .send();
    }

    private Response sendBytes(byte[] body) {
        return system.api()
                .post(RegistryClient.AGENTS)
                .key(TestSystem.AGENT_KEY)
                .body(body)
                .send();
    }

    private static void assertFields(Response response, String fields) {
        assertProblem(response, 400, "invalid_request");
        List<String> named = response.json().get("errors").findValuesAsText("field");
        assertThat(named).doesNotHaveDuplicates();
        assertThat(new HashSet<>(named)).isEqualTo(Set.of(fields.split(" ")));
        assertThat(response.json().get("errors").findValuesAsText("message")).allMatch(message -> !message.isBlank());
    }

    /** Asserts the shape of RFC 9457. */
    private static void assertProblem(Response response, int status, String error) {
        assertThat(response.status()).as(response.text()).isEqualTo(status);
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        JsonNode problem = response.json();
        assertThat(problem.get("type").textValue()).isEqualTo("urn:agent-health:problem:" + error);
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        assertThat(problem.get("error").textValue()).isEqualTo(error);
        for (String text : List.of("title", "detail", "instance")) {
            assertThat(problem.get(text).textValue()).as(text).isNotBlank();
        }
        assertThat(problem.get("instance").textValue()).startsWith("/api/v1/agents");
    }

    private static Stream<String> lines(String resource) {
        return Resources.text(resource).lines().filter(line -> !line.startsWith("#") && !line.isBlank());
    }

    private static String tags(int count) {
        return IntStream.range(0, count).mapToObj(i -> "\"tag" + i + "\"").collect(Collectors.joining(","));
    }

    private static String metadata(int bytes) {
        return "{\"k\":\"" + "x".repeat(bytes - 8) + "\"}";
    }

    private static byte[] concat(byte[]... parts) {
        byte[] all = new byte[0];
        for (byte[] part : parts) {
            int length = all.length;
            all = Arrays.copyOf(all, length + part.length);
            System.arraycopy(part, 0, all, length, part.length);
        }
        return all;
    }
}
