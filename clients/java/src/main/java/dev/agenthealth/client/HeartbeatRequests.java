package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sends heartbeats: a single heartbeat alone, several in one request. Thread-safe. */
final class HeartbeatRequests {

    private static final int MAX_ENTRIES = 100;

    /** The maximum number of characters of a body. It is below the registry's limit of 256 KB, since a character may have several bytes. */
    private static final int MAX_CHARACTERS = 120_000;

    private final Api api;

    HeartbeatRequests(Api api) {
        this.api = api;
    }

    /** Returns groups of heartbeats; each group goes into one request. */
    List<List<HeartbeatEntry>> grouped(List<HeartbeatEntry> entries) {
        List<List<HeartbeatEntry>> groups = new ArrayList<>();
        Map<String, Group> open = new LinkedHashMap<>();
        for (HeartbeatEntry entry : entries) {
            Optional<String> url = entry.batchUrl(api.base());
            int length = entry.json().toString().length();
            Group group = url.map(open::get).filter(last -> last.fits(length)).orElseGet(() -> {
                Group next = new Group();
                groups.add(next.entries);
                url.ifPresent(address -> open.put(address, next));
                return next;
            });
            group.add(entry, length);
        }
        return groups;
    }

    private static final class Group {

        private final List<HeartbeatEntry> entries = new ArrayList<>();
        private int characters;

        boolean fits(int length) {
            return entries.size() < MAX_ENTRIES && characters + length <= MAX_CHARACTERS;
        }

        void add(HeartbeatEntry entry, int length) {
            entries.add(entry);
            characters += length;
        }
    }

    /** Sends the heartbeats of one group, and passes each agent its answer. */
    void send(List<HeartbeatEntry> group) {
        List<HeartbeatEntry> waiting = new ArrayList<>(group);
        try {
            if (group.size() == 1) {
                HeartbeatEntry only = group.get(0);
                Call call = Call.post("").body(only.json());
                JsonNode answer = api.sendOnce(only.aloneUrl(api.base()), call);
                waiting.clear();
                only.session().acknowledged(only, new HeartbeatAnswer(answer));
            } else {
                JsonNode results = sendTogether(group).path("results");
                for (int i = 0; i < group.size(); i++) {
                    waiting.remove(group.get(i));
                    give(group.get(i), results.path(i));
                }
            }
        } catch (RuntimeException | Error e) {
            // Also after an OutOfMemoryError: an agent without retries would look dead.
            AgentHealthException failure = AgentHealthException.of(e);
            waiting.forEach(entry -> entry.session().failed(entry, failure));
        }
    }

    private JsonNode sendTogether(List<HeartbeatEntry> group) {
        ObjectNode body = Json.object();
        ArrayNode heartbeats = body.putArray("heartbeats");
        for (HeartbeatEntry entry : group) {
            heartbeats.add(entry.json().deepCopy().put("agent_id", entry.agentId()));
        }
        String url = group.get(0).batchUrl(api.base()).orElseThrow();
        return api.sendOnce(URI.create(url), Call.post("").body(body));
    }

    private static void give(HeartbeatEntry entry, JsonNode result) {
        int status = result.path("status_code").asInt(0);
        if (status == 200) {
            entry.session().acknowledged(entry, new HeartbeatAnswer(result));
        } else if (result instanceof ObjectNode document && status != 0) {
            entry.session().failed(entry, new Refusal(status, document, Optional.empty()).exception());
        } else {
            entry.session()
                    .failed(
                            entry,
                            new UnexpectedAnswerException(200, "the answer has no result for " + entry.agentId()));
        }
    }
}
