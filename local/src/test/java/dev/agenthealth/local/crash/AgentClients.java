package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Processes that are all registered as one agent, replace each other, send heartbeats and change its profile. */
final class AgentClients {

    private static final long TURN_NANOS = 7_000_000_000L;

    private final String name;
    private final boolean fallsSilent;
    private final RequestHistory history;
    private final AtomicInteger names = new AtomicInteger();
    private final AtomicLong incarnation = new AtomicLong(1);
    private final AtomicLong version = new AtomicLong(1);

    /** @param fallsSilent whether no heartbeats come for long enough that the agent is dead, and then again some come */
    AgentClients(String name, boolean fallsSilent, RequestHistory history) {
        this.name = name;
        this.fallsSilent = fallsSilent;
        this.history = history;
    }

    HistoryClient.Part part() {
        return new HistoryClient.Part("agent " + name, "agent");
    }

    /** Sends a request of a process. */
    void step(HistoryClient client, int process, Random random) {
        int choice = random.nextInt(100);
        ObjectNode in = Json.object();
        ObjectNode out;
        if (choice < 10) {
            out = register(client, process, random);
        } else if (choice < 42) {
            out = heartbeat(client, random);
        } else if (choice < 60) {
            String text = "name-" + names.incrementAndGet();
            long known = version.get();
            boolean isAny = random.nextInt(3) == 0;
            in.put("name", text).put("if_match", isAny ? 0 : known);
            String match = isAny ? "*" : "\"" + known + "\"";
            out = client.send("patch", in, "PATCH", path(), "{\"name\":\"" + text + "\"}", "if-match", match);
        } else if (choice < 63) {
            String query = "";
            if (random.nextBoolean()) {
                in.put("incarnation", named(random));
                query = "?incarnation=" + in.path("incarnation");
            }
            out = client.send("deregister", in, "DELETE", path() + query, "");
        } else {
            out = client.read("read", in, path());
        }
        if (out.has("version")) {
            version.set(out.path("version").asLong());
        }
        if (out.has("incarnation")) {
            incarnation.accumulateAndGet(out.path("incarnation").asLong(), Math::max);
        }
    }

    private ObjectNode register(HistoryClient client, int process, Random random) {
        int interval = fallsSilent ? 1 : 3_600;
        ObjectNode in = Json.object()
                .put("replace", random.nextInt(3) > 0)
                .put("name", "name-" + names.incrementAndGet())
                .put("interval", interval)
                .put("unhealthy", 3 * interval)
                .put("dead", 6 * interval);
        if (random.nextInt(3) > 0) {
            in.put("instance", "host-" + process);
        }
        ObjectNode body = Json.object().put("agent_id", name);
        for (String field : new String[] {"replace", "name", "instance"}) {
            if (in.has(field)) {
                body.set(field, in.path(field));
            }
        }
        body.putObject("heartbeat_config")
                .put("interval_seconds", interval)
                .put("unhealthy_after_seconds", 3 * interval)
                .put("dead_after_seconds", 6 * interval);
        return client.send("register", in, "POST", "/api/v1/agents", Json.text(body));
    }

    private ObjectNode heartbeat(HistoryClient client, Random random) {
        if (fallsSilent && history.now() / TURN_NANOS % 2 == 1) {
            return client.read("read", Json.object(), path());
        }
        ObjectNode in = Json.object().put("load", 1 + random.nextInt(1_000));
        ObjectNode body = Json.object()
                .put("status", "active")
                .put("client_timestamp", Instant.now().toString())
                .put("current_load", in.path("load").asInt());
        if (random.nextInt(3) > 0) {
            in.put("incarnation", named(random));
            body.set("incarnation", in.path("incarnation"));
        }
        return client.send("heartbeat", in, "POST", path() + "/heartbeat", Json.text(body));
    }

    /** Sometimes that of the process before. */
    private long named(Random random) {
        long known = incarnation.get();
        return known > 1 && random.nextInt(5) == 0 ? known - 1 : known;
    }

    private String path() {
        return "/api/v1/agents/" + name;
    }
}
