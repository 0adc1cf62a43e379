package dev.agenthealth.example.frameworks;

import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.Usage;
import dev.agenthealth.client.Working;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelErrorContext;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelRequestContext;
import dev.langchain4j.model.chat.listener.ChatModelResponseContext;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.AiServices;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A LangChain4j agent that reports each answer as an outcome. {@link ModelCalls} is a listener of its model. */
@SuppressWarnings("try") // Calls end with their blocks.
final class LangChain4jAgent implements Support {

    private final ManagedAgent agent;
    private final Assistant support;
    private final UnaryOperator<String> orders;

    /** Implemented by LangChain4j. */
    interface Assistant {
        String answer(String question);
    }

    LangChain4jAgent(ManagedAgent agent, ChatModel model, UnaryOperator<String> orders) {
        this.agent = agent;
        this.orders = orders;
        this.support =
                AiServices.builder(Assistant.class).chatModel(model).tools(this).build();
    }

    @Override
    public String answer(String question) throws Exception {
        return agent.call(() -> support.answer(question));
    }

    @Tool("The state of an order.")
    String order(@P("id of the order") String id) {
        try (Working call = agent.tool()) {
            return orders.apply(id);
        }
    }

    /** Reports each call of the model, and its tokens if the model says them. */
    record ModelCalls(ManagedAgent agent) implements ChatModelListener {

        @Override
        public void onRequest(ChatModelRequestContext request) {
            request.attributes().put(ModelCalls.class, agent.model());
        }

        @Override
        public void onResponse(ChatModelResponseContext response) {
            TokenUsage tokens = response.chatResponse().tokenUsage();
            if (tokens != null) {
                call(response.attributes())
                        .addUsage(new Usage(tokens.inputTokenCount(), tokens.outputTokenCount())
                                .model(response.chatResponse().modelName(), ""));
            }
            call(response.attributes()).close();
        }

        @Override
        public void onError(ChatModelErrorContext error) {
            call(error.attributes()).close();
        }

        private static Working call(Map<Object, Object> attributes) {
            return (Working) attributes.get(ModelCalls.class);
        }
    }
}
