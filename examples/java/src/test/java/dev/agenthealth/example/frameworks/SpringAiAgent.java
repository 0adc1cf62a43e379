package dev.agenthealth.example.frameworks;

import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.Usage;
import dev.agenthealth.client.Working;
import java.util.function.UnaryOperator;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.ToolCallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.tool.annotation.Tool;

/** A Spring AI agent that reports each answer as an outcome. */
@SuppressWarnings("try") // Calls end with their blocks.
final class SpringAiAgent implements Support {

    private final ManagedAgent agent;
    private final ChatClient support;
    private final UnaryOperator<String> orders;

    SpringAiAgent(ManagedAgent agent, ChatModel model, UnaryOperator<String> orders) {
        this.agent = agent;
        this.orders = orders;
        this.support = ChatClient.builder(model)
                .defaultAdvisors(ToolCallAdvisor.builder().build(), new ModelCalls(agent))
                .defaultTools(this)
                .build();
    }

    @Override
    public String answer(String question) throws Exception {
        return agent.call(() -> support.prompt(question).call().content());
    }

    @Tool(description = "The state of an order.")
    String order(String id) {
        try (Working call = agent.tool()) {
            return orders.apply(id);
        }
    }

    /** Reports each call of the model, and its tokens. */
    record ModelCalls(ManagedAgent agent) implements CallAdvisor {

        @Override
        public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
            try (Working call = agent.model()) {
                ChatClientResponse response = chain.nextCall(request);
                ChatResponseMetadata answer = response.chatResponse().getMetadata();
                call.addUsage(new Usage(
                                answer.getUsage().getPromptTokens(),
                                answer.getUsage().getCompletionTokens())
                        .model(answer.getModel(), ""));
                return response;
            }
        }

        @Override
        public String getName() {
            return "agent-health";
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }
}
