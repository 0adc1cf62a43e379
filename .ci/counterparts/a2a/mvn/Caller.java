import io.a2a.A2A;
import io.a2a.client.Client;
import io.a2a.client.MessageEvent;
import io.a2a.client.http.A2ACardResolver;
import io.a2a.client.http.JdkA2AHttpClient;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfigBuilder;
import io.a2a.client.transport.spi.interceptors.auth.AuthInterceptor;
import io.a2a.spec.AgentCard;
import io.a2a.spec.TextPart;
import java.net.URI;

/** A client of version 0.3 of the official A2A SDK for Java: sends a message to the agent of the card at the URL of the first argument. */
public final class Caller {

    public static void main(String[] arguments) throws Exception {
        URI card = URI.create(arguments[0]);
        String host = card.getScheme() + "://" + card.getAuthority();
        String path = card.getPath() + "?" + card.getQuery();
        AgentCard read = new A2ACardResolver(new JdkA2AHttpClient(), host, path).getAgentCard();
        AuthInterceptor authorized = new AuthInterceptor((scheme, context) -> System.getenv("AGENT_HEALTH_KEY"));
        Client client = Client.builder(read)
                .withTransport(JSONRPCTransport.class, new JSONRPCTransportConfigBuilder().addInterceptor(authorized))
                .addConsumer((event, from) -> {
                    if (event instanceof MessageEvent message && message.getMessage().getParts().get(0) instanceof TextPart text) {
                        System.out.println("message " + text.getText());
                    }
                })
                .build();
        client.sendMessage(A2A.toUserMessage("To Oslo"), null);
        client.close();
    }

    private Caller() {}
}
