package dev.agenthealth.functions.template;

import static dev.agenthealth.functions.template.ScenarioClient.ADMIN;
import static dev.agenthealth.functions.template.ScenarioClient.expect;

import dev.agenthealth.functions.testing.DeployedSystem;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestTokens;

/** An identity provider, and a workload with two of its tokens. */
final class SignInScenario {

    private static final String PROVIDERS = "/v1/admin/identity-providers";
    private static final String ADMINISTRATOR_KEY = "/v1/admin/administrator-key";
    private static final String AGENT = "/api/v1/agents/of-workload";

    private final DeployedSystem system;
    private final TestApi api;

    SignInScenario(DeployedSystem system, TestApi api) {
        this.system = system;
        this.api = api;
    }

    void run() {
        TestTokens.configure(
                api,
                "cluster",
                "[{'claim':'sub','value':'ada','role':'administrator'},{'claim':'sub','value':'*','role':'agent','owner':'billing'}]",
                TestTokens.EC);
        expect(200, api.get(PROVIDERS).key(ADMIN));
        expect(200, api.get(PROVIDERS + "/cluster").key(ADMIN));
        expect(200, api.get("/api/v1/sign-in"));
        expect(404, api.post("/api/v1/sign-in/cluster/device").body("{}"));
        expect(404, api.post("/api/v1/sign-in/cluster/revoke").body("{\"token\":\"t\"}"));
        expect(201, with(token("a"), api.post("/api/v1/agents")).body("{\"agent_id\":\"of-workload\"}"));
        expect(200, with(token("a"), api.post(AGENT + "/heartbeat")));
        expect(200, with(token("b"), api.post(AGENT + "/heartbeat")));
        expect(200, with(token("b"), api.get(AGENT + "/health")));
        expect(204, with(token("b"), api.delete(AGENT)));
        expect(200, api.get(ADMINISTRATOR_KEY).key(ADMIN));
        expect(200, with(token("ada"), api.put(ADMINISTRATOR_KEY)).body("{\"enabled\":false}"));
        expect(200, with(token("ada"), api.put(ADMINISTRATOR_KEY)).body("{\"enabled\":true}"));
        expect(204, api.delete(PROVIDERS + "/cluster").key(ADMIN));
    }

    private String token(String subject) {
        return TestTokens.token(TestTokens.claims(subject, system.clock().instant()), TestTokens.EC);
    }

    private static TestApi.Request with(String token, TestApi.Request request) {
        return request.header("authorization", "Bearer " + token);
    }
}
