package dev.agenthealth.local.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.ApiExchange;
import dev.agenthealth.testkit.SampleEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** A sample event, as it is in the folder or with other values in the places that name something. Not thread-safe. */
final class Sample {

    private static final SampleEvents SAMPLES = new SampleEvents();

    private final String function;
    private final ObjectNode event;

    /** Invokes the function of this name with a payload; both payload and answer are JSON in UTF-8. */
    interface Invoker {
        byte[] invoke(String logicalId, byte[] payload);
    }

    Sample(String file) {
        this.function = SAMPLES.rows().stream()
                .filter(row -> row.file().equals(file))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the README of the samples has no " + file))
                .function();
        this.event = (ObjectNode) SAMPLES.json(file);
    }

    /** Names something else in the path. */
    Sample path(String parameter, String value) {
        ObjectNode parameters = (ObjectNode) event.path("pathParameters");
        String former = parameters.path(parameter).asText();
        parameters.put(parameter, value);
        String path = event.path("rawPath").asText().replace("/" + former, "/" + value);
        event.put("rawPath", path);
        ((ObjectNode) event.path("requestContext").path("http")).put("path", path);
        return this;
    }

    /** Replaces the query by one parameter. */
    Sample query(String parameter, String value) {
        event.put("rawQueryString", parameter + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        event.putObject("queryStringParameters").put(parameter, value);
        return this;
    }

    Sample header(String name, String value) {
        ((ObjectNode) event.path("headers")).put(name, value);
        return this;
    }

    /** Gives a member of the event the value of another one. */
    Sample member(String name, String other) {
        event.set(name, event.path(other));
        return this;
    }

    /** Changes the body, which is JSON. */
    Sample body(UnaryOperator<ObjectNode> change) {
        return body(Json.text(change.apply((ObjectNode) read(event.path("body").asText()))));
    }

    Sample body(String text) {
        event.put("body", text);
        return header("content-length", String.valueOf(text.getBytes(StandardCharsets.UTF_8).length));
    }

    /** Changes the first message of a batch. */
    Sample message(String body) {
        ((ObjectNode) event.path("Records").path(0)).put("body", body);
        return this;
    }

    /** The answer; that to a request of the API is compared with its description. */
    JsonNode invoke(Invoker system) {
        JsonNode answer = read(new String(system.invoke(function, Json.bytes(event)), StandardCharsets.UTF_8));
        if (event.has("routeKey")) {
            ApiContract.check(ApiExchange.ofEvents(event, answer));
        }
        return answer;
    }

    private static JsonNode read(String json) {
        try {
            return Json.read(json);
        } catch (IOException e) {
            throw new UncheckedIOException("not JSON: " + json, e);
        }
    }
}
