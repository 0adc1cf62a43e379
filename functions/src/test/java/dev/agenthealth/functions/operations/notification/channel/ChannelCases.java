package dev.agenthealth.functions.operations.notification.channel;

import static dev.agenthealth.functions.operations.notification.channel.Messages.ROUTING_KEY;
import static dev.agenthealth.functions.operations.notification.channel.Messages.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.ChannelCase.Sent;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.testkit.TestJson;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A case for each channel of the registry, and one for a channel that only tests have. */
public final class ChannelCases {

    /** SNS takes 256 KB. */
    private static final int MAX_EMAIL_BYTES = 262_144;

    /** A workflow of Teams takes 28 KB, a message of Google Chat 32,000 bytes. */
    private static final int MAX_HOOK_BYTES = 28 * 1_024;

    private static final String API_KEY = "eb243592-faa2-4ba2-a551-1afdf565c889";

    private ChannelCases() {}

    public static Stream<ChannelCase> all() {
        return Stream.of(
                webhook("plain", ChannelCases::checkPlain),
                webhook("cloudevents_structured", ChannelCases::checkStructured),
                webhook("cloudevents_binary", ChannelCases::checkBinary),
                hook("slack", "slack-message"),
                hook("teams", "teams-message"),
                hook("google_chat", "google-chat-message"),
                hook("discord", "discord-message"),
                pagerDuty(),
                opsgenie(),
                email(),
                MadeUpChannel.testCase());
    }

    private static ChannelCase webhook(String format, Consumer<Sent> check) {
        return new ChannelCase(
                "webhook",
                ChannelCase::http,
                "'url':'http://RECEIVER/hook?token=HIDDEN','secrets':['" + SECRET + "'],'format':'" + format + "'",
                "",
                "'url':'http://RECEIVER/elsewhere'",
                List.of("secrets"),
                "'url':'http://RECEIVER/hook?…','secret_count':1,'format':'" + format + "','has_secret':true",
                List.of(SECRET, "HIDDEN"),
                Map.of(
                        "",
                        List.of("url"),
                        "'url':'http://10.0.0.1/x'",
                        List.of("url"),
                        "'url':'https://h.com','secrets':['x','" + SECRET + "','whsec_x']",
                        List.of("secrets[0]", "secrets[2]"),
                        "'url':1,'secrets':['a','b','c','d']",
                        List.of("url", "secrets"),
                        "'url':'https://h.com','format':'cloudevents'",
                        List.of("format")),
                check.andThen(ChannelCases::checkSignature));
    }

    private static void checkPlain(Sent sent) {
        Messages.check("webhook", sent.body());
        assertThat(sent.headers()).containsEntry("content-type", "application/json");
    }

    private static void checkStructured(Sent sent) {
        assertThat(sent.headers()).containsEntry("content-type", "application/cloudevents+json; charset=utf-8");
        JsonNode event = TestJson.read(sent.body());
        Map<String, String> attributes = new HashMap<>();
        event.properties()
                .forEach(member ->
                        attributes.put(member.getKey(), member.getValue().asText()));
        assertThat(attributes).containsEntry("datacontenttype", "application/json");
        checkEvent(attributes, event.path("data"));
    }

    private static void checkBinary(Sent sent) {
        assertThat(sent.headers()).containsEntry("content-type", "application/json");
        Map<String, String> attributes = new HashMap<>();
        sent.headers().forEach((name, text) -> {
            if (name.startsWith("ce-")) {
                assertThat(text).matches("[!-~&&[^\"]]+");
                attributes.put(name.substring(3), URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
            }
        });
        checkEvent(attributes, TestJson.read(sent.body()));
    }

    /** Asserts the attributes of CloudEvents 1.0, and data as in a plain message. */
    private static void checkEvent(Map<String, String> attributes, JsonNode data) {
        assertThat(attributes)
                .containsEntry("specversion", "1.0")
                .containsEntry("type", "dev.agenthealth.notification")
                .containsEntry("id", data.path("id").textValue().replaceAll("\\p{Cc}", ""))
                .containsEntry("rule", data.path("rule").textValue())
                .containsKey("severity");
        assertThat(attributes)
                .containsEntry("source", data.path("test").booleanValue() ? "urn:agent-health" : Messages.PAGE);
        assertThat(Instant.parse(attributes.get("time"))).isNotNull();
        if (data.path("total").intValue() != 1) {
            assertThat(attributes).doesNotContainKey("subject");
        }
        assertThat(attributes.values()).noneMatch(text -> text.matches("(?s).*\\p{Cc}.*"));
        ObjectNode plain = Json.object().put("type", "agent_health.notification");
        plain.put("timestamp", attributes.get("time")).set("data", data);
        Messages.check("webhook", plain);
    }

    /** Asserts a signature of Standard Webhooks. */
    private static void checkSignature(Sent sent) {
        assertThat(sent.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(20_000);
        String signed =
                sent.headers().get("webhook-id") + "." + sent.headers().get("webhook-timestamp") + "." + sent.body();
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            byte[] key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.UTF_8));
            assertThat(sent.headers())
                    .containsEntry(
                            "webhook-signature", "v1," + Base64.getEncoder().encodeToString(signature));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** A channel whose only field is an address that is a secret. */
    private static ChannelCase hook(String type, String schema) {
        return new ChannelCase(
                type,
                ChannelCase::http,
                "'url':'http://RECEIVER/services/T/HIDDEN?key=HIDDEN'",
                "",
                "'url':'http://RECEIVER/elsewhere'",
                List.of(),
                "'url':'http://RECEIVER/…','has_secret':true",
                List.of("HIDDEN", "services"),
                Map.of(
                        "", List.of("url"),
                        "'url':'https://10.0.0.1/x'", List.of("url"),
                        "'url':'https://hooks.example.com/…'", List.of("url")),
                sent -> {
                    Messages.check(schema, sent.body());
                    assertThat(sent.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(MAX_HOOK_BYTES);
                });
    }

    private static ChannelCase opsgenie() {
        return new ChannelCase(
                "opsgenie",
                ChannelCase::http,
                "'url':'http://RECEIVER/v2/alerts','api_key':'" + API_KEY + "'",
                "",
                "'url':'http://RECEIVER/elsewhere/alerts'",
                List.of("api_key"),
                "'url':'http://RECEIVER/v2/alerts','has_secret':true",
                List.of(API_KEY),
                Map.of(
                        "",
                        List.of("api_key"),
                        "'api_key':'short'",
                        List.of("api_key"),
                        "'api_key':'" + API_KEY + "','url':'https://api.opsgenie.com/v2'",
                        List.of("url"),
                        "'url':'x','api_key':''",
                        List.of("api_key", "url")),
                sent -> {
                    Messages.check("opsgenie-request", sent.body());
                    assertThat(sent.headers()).containsEntry("authorization", "GenieKey " + API_KEY);
                });
    }

    private static ChannelCase pagerDuty() {
        return new ChannelCase(
                "pagerduty",
                ChannelCase::http,
                "'url':'http://RECEIVER/v2/enqueue','routing_key':'" + ROUTING_KEY + "'",
                "",
                "'url':'http://RECEIVER/elsewhere'",
                List.of("routing_key"),
                "'url':'http://RECEIVER/v2/enqueue','has_secret':true",
                List.of(ROUTING_KEY),
                Map.of(
                        "", List.of("routing_key"),
                        "'routing_key':'short'", List.of("routing_key"),
                        "'url':'x','routing_key':''", List.of("routing_key", "url")),
                sent -> Messages.check("pagerduty-event", sent.body()));
    }

    private static ChannelCase email() {
        return new ChannelCase(
                "email",
                () -> ChannelCase.sns("on-call@example.com"),
                "'address':'on-call@example.com'",
                "'address':'on-call@example.com'",
                "'address':'other@example.com'",
                List.of(),
                "'address':'on-call@example.com','has_secret':false",
                List.of(),
                Map.of(
                        "", List.of("address"),
                        "'address':'no one'", List.of("address"),
                        "'address':['a@example.com']", List.of("address")),
                sent -> {
                    assertThat(sent.headers().get("subject")).matches("[ -~]{1,100}");
                    assertThat(sent.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(MAX_EMAIL_BYTES);
                });
    }
}
