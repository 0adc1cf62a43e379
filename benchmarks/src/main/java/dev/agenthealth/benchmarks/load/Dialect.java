package dev.agenthealth.benchmarks.load;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** The requests that registries have in common, in the form of each registry. */
enum Dialect {

    /** The registry of this project. */
    AGENT_HEALTH("/api/v1/ping"),

    /** The reference server of OpenIntent, the home of RFC-0016. */
    OPENINTENT("/") {

        @Override
        byte[] registration(String agentId, int number, String key) {
            return Request.post("/api/v1/agents/register", key, "{" + declaration(agentId, number) + "}");
        }
    },

    /** A Eureka server, which keeps its instances in memory. A heartbeat renews an instance. */
    EUREKA("/") {

        @Override
        byte[] registration(String agentId, int number, String key) {
            return Request.post(
                    APPLICATION,
                    key,
                    "{\"instance\":{\"instanceId\":\"" + agentId
                            + "\",\"hostName\":\"host\",\"app\":\"AGENTS\",\"ipAddr\":\"10.0.0.1\",\"status\":\"UP\","
                            + "\"port\":{\"$\":8080,\"@enabled\":\"true\"},\"dataCenterInfo\":{\"@class\":"
                            + "\"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo\",\"name\":\"MyOwn\"},"
                            + "\"leaseInfo\":{\"durationInSecs\":14400},\"metadata\":{\"role\":\"role-"
                            + number % Fleet.ROLES
                            + "\"}}}");
        }

        @Override
        byte[] heartbeat(String agentId, Instant now, String key) {
            return Request.put(APPLICATION + "/" + agentId, key, "");
        }
    },

    /** An etcd server, by its JSON gateway. A registration is one put, synced to the disk. A heartbeat renews a lease, which etcd keeps in memory. */
    ETCD("/health") {

        @Override
        byte[] preparation(int number) {
            return Request.post("/v3/lease/grant", "", "{\"TTL\":14400,\"ID\":\"" + lease(number) + "\"}");
        }

        @Override
        byte[] registration(String agentId, int number, String key) {
            return Request.post(
                    "/v3/kv/put",
                    key,
                    "{\"key\":\"" + base64(agentId) + "\",\"value\":\""
                            + base64("{" + declaration(agentId, number) + "}") + "\"}");
        }

        @Override
        byte[] heartbeat(String agentId, Instant now, String key) {
            int number = Integer.parseInt(agentId.substring(agentId.lastIndexOf('-') + 1));
            return Request.post("/v3/lease/keepalive", key, "{\"ID\":\"" + lease(number) + "\"}");
        }

        private static int lease(int number) {
            return number + 1;
        }

        private static String base64(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }
    };

    private static final String APPLICATION = "/eureka/apps/AGENTS";

    private final String firstPath;

    Dialect(String firstPath) {
        this.firstPath = firstPath;
    }

    /** Returns a path that a started server answers, with any status. */
    String firstPath() {
        return firstPath;
    }

    /** Returns true if the server lists agents with their declarations. */
    boolean lists() {
        return this == AGENT_HEALTH || this == OPENINTENT;
    }

    /** Returns the request that must precede the first heartbeat of an agent; empty if the registration is enough. */
    byte[] preparation(int number) {
        return new byte[0];
    }

    byte[] registration(String agentId, int number, String key) {
        return Request.post("/api/v1/agents", key, "{" + declaration(agentId, number) + "}");
    }

    /** Returns a request that registers a live agent of this project's registry anew. */
    byte[] replacement(String agentId, int number, String key) {
        return Request.post("/api/v1/agents", key, "{\"replace\":true," + declaration(agentId, number) + "}");
    }

    private static String declaration(String agentId, int number) {
        return "\"agent_id\":\"" + agentId + "\",\"role_id\":\"role-" + number % Fleet.ROLES
                + "\",\"capabilities\":[\"benchmark\",\"skill-" + number % 10
                + "\"],\"capacity\":{\"max_concurrent_tasks\":8},\"heartbeat_config\":{\"interval_seconds\":3600,"
                + "\"unhealthy_after_seconds\":7200,\"dead_after_seconds\":14400}";
    }

    byte[] heartbeat(String agentId, Instant now, String key) {
        return Request.post(
                "/api/v1/agents/" + agentId + "/heartbeat",
                key,
                "{\"status\":\"active\",\"current_load\":1,\"tasks_in_progress\":[],\"client_timestamp\":\"" + now
                        + "\"}");
    }
}
