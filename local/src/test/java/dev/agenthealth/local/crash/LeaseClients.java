package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/** Agents that compete for the leases of one scope, each of which is registered again at times. */
final class LeaseClients {

    static final int AGENTS = 3;

    private static final int REMEMBERED = 3;
    private static final long TURN_NANOS = 4_000_000_000L;
    private static final int LONG_SECONDS = 600;

    private final String name;
    private final boolean isShort;
    private final RequestHistory history;
    private final AtomicLongArray incarnations = new AtomicLongArray(AGENTS);
    private final List<ObjectNode> recent = new CopyOnWriteArrayList<>();

    /** @param isShort whether leases time out within seconds; otherwise they are given back */
    LeaseClients(String name, boolean isShort, RequestHistory history) {
        this.name = name;
        this.isShort = isShort;
        this.history = history;
    }

    HistoryClient.Part part() {
        return new HistoryClient.Part("lease " + name, "lease");
    }

    /** Sends a request of an agent. */
    void step(HistoryClient client, int agent, Random random) {
        int choice = random.nextInt(100);
        boolean isReturning = isShort ? choice < 4 : choice < 20;
        if (incarnations.get(agent) == 0 || choice == 99) {
            register(client, agent);
        } else if (recent.isEmpty() || choice >= 60 && choice < 99) {
            acquire(client, agent, random);
        } else if (choice < 1) {
            close(client, "revoke", "POST", "/revoke");
        } else if (isReturning) {
            close(client, "release", "DELETE", "");
        } else if (choice < 32) {
            renew(client, random);
        } else if (choice < 44) {
            verify(client, random);
        } else {
            ObjectNode lease = recent(random);
            client.read("read", Json.object().put("lease", id(lease)), path(lease));
        }
    }

    private void register(HistoryClient client, int agent) {
        ObjectNode body = Json.object().put("agent_id", agentId(agent)).put("replace", true);
        body.putObject("heartbeat_config")
                .put("interval_seconds", 3_600)
                .put("unhealthy_after_seconds", 7_200)
                .put("dead_after_seconds", 14_400);
        ObjectNode out = client.send(
                "restart", Json.object().put("agent", agentId(agent)), "POST", "/api/v1/agents", Json.text(body));
        if (out.path("http").asInt() == 201) {
            incarnations.accumulateAndGet(agent, out.path("incarnation").asLong(), Math::max);
        }
    }

    /** One agent after the other does not acquire, so that others get what times out. */
    private void acquire(HistoryClient client, int agent, Random random) {
        if (history.now() / TURN_NANOS % AGENTS == agent) {
            return;
        }
        int seconds = isShort ? 1 + random.nextInt(2) : LONG_SECONDS;
        ObjectNode body = Json.object()
                .put("agent_id", agentId(agent))
                .put("scope", "write")
                .put("duration_seconds", seconds);
        ObjectNode in = Json.object().put("agent", agentId(agent)).put("seconds", seconds);
        if (random.nextBoolean()) {
            // Sometimes that of the process before.
            long known = incarnations.get(agent);
            long named = known > 1 && random.nextInt(10) == 0 ? known - 1 : known;
            body.put("incarnation", named);
            in.put("incarnation", named);
        }
        ObjectNode out = client.send("acquire", in, "POST", "/api/v1/intents/" + name + "/leases", Json.text(body));
        if (out.has("lease") && recent.stream().noneMatch(lease -> id(lease).equals(id(out)))) {
            recent.add(0, out);
            while (recent.size() > REMEMBERED) {
                recent.remove(REMEMBERED);
            }
        }
    }

    private void renew(HistoryClient client, Random random) {
        ObjectNode lease = recent(random);
        int seconds = isShort ? 1 + random.nextInt(2) : LONG_SECONDS + random.nextInt(LONG_SECONDS);
        ObjectNode in = Json.object().put("lease", id(lease)).put("seconds", seconds);
        client.send("renew", in, "PATCH", path(lease), "{\"duration_seconds\":" + seconds + "}");
    }

    private void close(HistoryClient client, String operation, String method, String path) {
        ObjectNode lease = recent.get(0);
        client.send(operation, Json.object().put("lease", id(lease)), method, path(lease) + path, "");
    }

    private void verify(HistoryClient client, Random random) {
        ObjectNode lease = recent(random);
        long token = lease.path("token").asLong() - (random.nextInt(10) == 0 ? 1 : 0);
        ObjectNode in = Json.object().put("lease", id(lease)).put("token", token);
        client.send("verify", in, "POST", path(lease) + "/verify", "{\"fencing_token\":" + token + "}");
    }

    private ObjectNode recent(Random random) {
        List<ObjectNode> leases = new ArrayList<>(recent);
        return leases.get(random.nextInt(4) > 0 ? 0 : random.nextInt(leases.size()));
    }

    private String agentId(int agent) {
        return name + "-" + agent;
    }

    private static String id(ObjectNode lease) {
        return lease.path("lease").asText();
    }

    private String path(ObjectNode lease) {
        return "/api/v1/intents/" + name + "/leases/" + id(lease);
    }
}
