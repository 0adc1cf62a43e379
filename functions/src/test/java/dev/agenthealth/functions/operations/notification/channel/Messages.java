package dev.agenthealth.functions.operations.notification.channel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.agenthealth.functions.runtime.outbound.Post;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.notification.NotificationEntry;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.TestJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Messages to send, and the schemas of what receivers accept. */
public final class Messages {

    public static final Instant AT = Instant.parse("2026-02-08T10:00:00Z");
    public static final String PAGE = "https://registry.example";
    public static final String ROUTING_KEY = "0123456789abcdef0123456789abcdef";
    public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private Messages() {}

    public static NotificationEntry death(int number) {
        return entry("agent_" + number, "critical", "Agent agent_" + number + " is dead.", false);
    }

    public static NotificationEntry recovery(int number) {
        return entry("agent_" + number, "info", "Agent agent_" + number + " is active again.", true);
    }

    public static NotificationEntry entry(String agentId, String severity, String summary, boolean recovery) {
        return new NotificationEntry(
                "event_" + agentId,
                "agent.lifecycle",
                recovery ? EventKind.RECOVERY : EventKind.PROBLEM,
                WireNamed.find(Severity.class, severity).orElseThrow(),
                agentId,
                "billing",
                AT,
                recovery ? "dead" : "unhealthy",
                recovery ? "active" : "dead",
                summary,
                "agent:" + agentId);
    }

    public static NotificationMessage deaths(int count) {
        List<NotificationEntry> entries = IntStream.rangeClosed(1, Math.min(count, NotificationMessage.MAX_ENTRIES))
                .mapToObj(Messages::death)
                .toList();
        return new NotificationMessage("msg_1", "on-call", AT, entries, count, false, false, count, List.of(), "");
    }

    public static NotificationMessage of(NotificationEntry... entries) {
        boolean recovery = List.of(entries).stream().allMatch(NotificationEntry::recovery);
        // Earlier messages reported what is over.
        List<String> ended = Stream.of(entries)
                .filter(NotificationEntry::recovery)
                .map(NotificationEntry::subject)
                .distinct()
                .toList();
        return new NotificationMessage(
                "msg_1", "on-call", AT, List.of(entries), entries.length, recovery, false, entries.length, ended, "");
    }

    public static NotificationMessage test() {
        return new NotificationMessage("msg_t", "on-call", AT, List.of(), 0, false, true, 0, List.of(), "");
    }

    /** A full message of the longest and worst texts. */
    public static NotificationMessage nasty() {
        String text = "<!channel> & <http://x|y> \"'`*_~ \u0007\n:bomb: 😀".repeat(100);
        List<NotificationEntry> entries = IntStream.range(0, NotificationMessage.MAX_ENTRIES)
                .mapToObj(i -> entry(":".repeat(128) + i, "error", text, false))
                .toList();
        return new NotificationMessage(
                "msg.1\r\n", "r".repeat(300), AT, entries, 1_000, false, false, 1_000, List.of(), "");
    }

    public static JsonNode json(Post post) {
        return TestJson.read(new String(post.body(), StandardCharsets.UTF_8));
    }

    /** A target of these fields, whose texts are in single quotes. */
    public static Target target(String fields) {
        return new Target(TestJson.read("{" + fields.replace('\'', '"') + "}"));
    }

    /** Asserts that a body is what the receiver accepts. */
    public static void check(String receiver, Post post) {
        check(receiver, new String(post.body(), StandardCharsets.UTF_8));
    }

    /** Asserts that a body is what the receiver accepts. */
    public static void check(String receiver, JsonNode body) {
        check(receiver, body.toString());
    }

    /** Asserts that a body is what the receiver accepts. */
    public static void check(String receiver, String body) {
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Resources.text("receivers/" + receiver + ".json"), InputFormat.JSON);
        assertThat(schema
                        .validate(
                                body,
                                InputFormat.JSON,
                                context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                        .stream()
                        .map(Error::toString))
                .as(body)
                .isEmpty();
    }
}
