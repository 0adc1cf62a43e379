package dev.agenthealth.functions.operations.notification.channel.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.operations.notification.channel.MessageText;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.notification.NotificationMessage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A message as an event of CloudEvents 1.0, over HTTP. */
record CloudEvent(NotificationMessage message) {

    static final String TYPE = "dev.agenthealth.notification";

    /** The media type of an event in structured mode. */
    static final String MEDIA_TYPE = "application/cloudevents+json; charset=utf-8";

    /** The source if the address of the registry's page is unknown. */
    private static final String UNKNOWN_SOURCE = "urn:agent-health";

    private static final String HEX = "0123456789ABCDEF";

    /** Returns the attributes. {@code rule} and {@code severity} are extensions. A message with a single event has a subject. */
    private Map<String, String> attributes() {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", message.messageId());
        attributes.put("source", message.page().isEmpty() ? UNKNOWN_SOURCE : message.page());
        attributes.put("type", TYPE);
        attributes.put("time", Timestamps.text(message.at()));
        if (message.total() == 1 && message.entries().size() == 1) {
            attributes.put("subject", message.entries().get(0).subject());
        }
        attributes.put("rule", message.rule());
        attributes.put("severity", MessageText.severity(message).wireName());
        // The specification permits no control characters, and no empty text.
        attributes.replaceAll((name, text) -> text.replaceAll("\\p{Cc}", ""));
        attributes.values().removeIf(String::isEmpty);
        return attributes;
    }

    /** Returns the body in structured mode, with the attributes beside the data. */
    ObjectNode structured(ObjectNode data) {
        ObjectNode json = Json.object();
        attributes().forEach(json::put);
        json.put("datacontenttype", "application/json");
        return json.set("data", data);
    }

    /** Returns the headers in binary mode. The body is then the data. */
    Map<String, String> headers() {
        Map<String, String> headers = new TreeMap<>();
        attributes().forEach((name, text) -> headers.put("ce-" + name, encoded(text)));
        return headers;
    }

    /** Encodes characters that a header cannot contain: CloudEvents, HTTP protocol binding, 3.1.3.2. */
    private static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7f && octet != '"' && octet != '%') {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(HEX.charAt((octet >> 4) & 0xf)).append(HEX.charAt(octet & 0xf));
            }
        }
        return encoded.toString();
    }
}
