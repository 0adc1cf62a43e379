import example.client.ApiClient;
import example.client.ApiException;
import example.client.api.AgentsApi;
import example.client.api.HeartbeatsApi;
import example.client.model.AgentRegistration;
import example.client.model.Heartbeat;
import example.client.model.Outcome;
import example.client.model.OutcomeBatch;
import java.time.OffsetDateTime;
import java.util.List;

/** Uses the client that OpenAPI Generator makes in Java. */
public final class Example {

    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("AGENT_HEALTH_URL"));
        client.setRequestInterceptor(request -> request.header("X-API-Key", System.getenv("AGENT_HEALTH_KEY")));
        AgentsApi agents = new AgentsApi(client);
        HeartbeatsApi heartbeats = new HeartbeatsApi(client);
        String id = arguments[0];

        var agent = agents.registerAgent(
                new AgentRegistration().agentId(id).replace(true).capabilities(List.of("billing")));
        System.out.println("registered " + agent.getIncarnation());
        var answer = heartbeats.sendHeartbeat(
                id, new Heartbeat().status(Heartbeat.StatusEnum.ACTIVE).clientTimestamp(OffsetDateTime.now().toString()));
        System.out.println("heartbeat " + answer.getAcknowledged() + " " + answer.getAgentStatus());
        var counted = heartbeats.reportOutcomes(
                id,
                new OutcomeBatch()
                        .batchId("first")
                        .outcomes(List.of(
                                new Outcome().result(Outcome.ResultEnum.SUCCESS).latencyMs(412.5))));
        System.out.println("outcomes " + counted.getAccepted());
        var list = agents.listAgents(
                List.of("billing"), null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
        boolean listed = list.getAgents().stream().anyMatch(row -> row.getAgentId().equals(id));
        System.out.println("listed " + listed);
        try {
            agents.getAgent("missing");
        } catch (ApiException e) {
            System.out.println("error " + e.getCode() + " " + e.getResponseBody().contains("\"agent_not_found\""));
        }
    }

    private Example() {}
}
