package dev.agenthealth.functions.operations.sources;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.schedule.CronSchedule;
import java.util.Optional;

/** A Kubernetes service or cron job with annotations that declare an agent. */
final class KubernetesResource {

    /** The field of a card that names the resource. */
    static final String NAME = "kubernetes";

    private static final String PREFIX = "agent-health/";
    private static final String WATCH = PREFIX + "watch";
    private static final String HTTPS = "https";
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private KubernetesResource() {}

    /** Returns whether a document is a Kubernetes document. */
    static boolean isIn(JsonNode document) {
        return document.has("apiVersion") && document.has("kind");
    }

    /**
     * Returns the agent of a resource; empty if the resource declares none or is suspended.
     *
     * @throws UnreadableSourceException if the declaration is invalid
     */
    static Optional<Listing> listing(JsonNode resource) {
        if (!skipReason(resource).isEmpty()) {
            return Optional.empty();
        }
        boolean scheduled = isCronJob(resource);
        String name = resource.at("/metadata/name").asText();
        String unique = unique(resource);
        String chosen = annotation(resource, "id");
        String identifier = chosen.isEmpty() ? unique : chosen;
        ObjectNode card = Json.object().put(NAME, unique).put("name", name);
        for (String capability : annotation(resource, "capabilities").split(",")) {
            if (!capability.isBlank()) {
                card.withArray("skills").addObject().put("id", capability.strip());
            }
        }
        return Optional.of(
                scheduled ? job(resource, identifier, unique, card) : service(resource, identifier, unique, card));
    }

    /** Returns the reason for which a resource declares no agent; empty if it declares one. */
    static String skipReason(JsonNode resource) {
        boolean annotated = resource.at("/metadata/annotations").properties().stream()
                .anyMatch(annotation -> annotation.getKey().startsWith(PREFIX));
        if (!isCronJob(resource) && !kind(resource).equals("Service")) {
            return "is no service and no cron job";
        }
        if (!annotated) {
            return "has no annotation that begins with " + PREFIX;
        }
        return resource.at("/spec/suspend").asBoolean() ? "is suspended" : "";
    }

    /** Returns namespace, kind and name of a resource. */
    static String unique(JsonNode resource) {
        return resource.at("/metadata/namespace").asText("default") + ":" + kind(resource) + ":"
                + resource.at("/metadata/name").asText();
    }

    private static boolean isCronJob(JsonNode resource) {
        return kind(resource).equals("CronJob");
    }

    private static String kind(JsonNode resource) {
        return resource.path("kind").asText();
    }

    private static Listing job(JsonNode resource, String identifier, String unique, ObjectNode card) {
        String cron = resource.at("/spec/schedule").asText();
        try {
            CronSchedule.check(cron);
        } catch (IllegalArgumentException e) {
            throw new UnreadableSourceException(unique + ": its schedule '" + cron + "' " + e.getMessage());
        }
        card.put("cron", cron).put("time_zone", resource.at("/spec/timeZone").asText(""));
        return Listing.embedded(identifier, false, card);
    }

    /** Returns the entry of a service: an agent with a card, an MCP server, or anything that answers. */
    private static Listing service(JsonNode resource, String identifier, String unique, ObjectNode card) {
        String watch = annotation(resource, "watch");
        String url = watch.startsWith("/") ? address(resource, unique) + watch : watch;
        if (Endpoint.of(url).isEmpty()) {
            throw new UnreadableSourceException(
                    unique + ": its annotation " + WATCH + " must be a path or an http or https URL");
        }
        if (url.endsWith("/agent-card.json")) {
            return new Listing(identifier, false, Optional.empty(), url, "", "");
        }
        if (url.endsWith("/mcp")) {
            card.putArray("remotes").addObject().put("type", "streamable-http").put("url", url);
            return Listing.embedded(identifier, true, card);
        }
        return Listing.embedded(identifier, false, card.put("url", url));
    }

    /** Returns the address of a service's load balancer, as names inside of a cluster are not public. */
    private static String address(JsonNode resource, String unique) {
        JsonNode ingress = resource.at("/status/loadBalancer/ingress/0");
        String host = ingress.path("hostname").asText(ingress.path("ip").asText());
        if (host.isEmpty()) {
            throw new UnreadableSourceException(
                    unique + ": has no load balancer; its annotation " + WATCH + " must be a URL");
        }
        JsonNode port = resource.at("/spec/ports/0");
        int number = port.path("port").asInt();
        boolean secure = number == HTTPS_PORT
                || HTTPS.equals(port.path("name").asText())
                || HTTPS.equals(port.path("appProtocol").asText());
        String shown = number == (secure ? HTTPS_PORT : HTTP_PORT) ? "" : ":" + number;
        return (secure ? "https://" : "http://") + host + shown;
    }

    private static String annotation(JsonNode resource, String name) {
        return resource.at("/metadata/annotations").path(PREFIX + name).asText().strip();
    }
}
