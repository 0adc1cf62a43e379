package dev.agenthealth.example.frameworks;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * Stand-ins for a model of a provider. They request the order of the question, and answer with the tool's result. Each call reads 100
 * tokens and writes 10. A question with "fail" fails.
 */
final class Models {

    private static final Pattern FOUND = Pattern.compile("order \\w+ is on its way");
    private static final String ARGUMENTS = "{\"id\": \"42\"}";

    /** Lets the test hold the model and the tool, to read the registry's view meanwhile. */
    final Semaphore model = new Semaphore(Integer.MAX_VALUE / 2);

    final Semaphore tool = new Semaphore(Integer.MAX_VALUE / 2);

    String lookUp(String id) {
        tool.acquireUninterruptibly();
        return "order " + id + " is on its way";
    }

    /** Returns the answer; empty if the tool must be called first. */
    private String decide(String conversation) {
        model.acquireUninterruptibly();
        if (conversation.contains("fail")) {
            throw new IllegalStateException("the model is overloaded");
        }
        Matcher found = FOUND.matcher(conversation);
        return found.find() ? found.group() : "";
    }

    org.springframework.ai.chat.model.ChatModel springAi() {
        return new org.springframework.ai.chat.model.ChatModel() {
            @Override
            public ChatResponse call(Prompt prompt) {
                String answer = decide(prompt.getInstructions().toString());
                AssistantMessage message = answer.isEmpty()
                        ? AssistantMessage.builder()
                                .content("")
                                .toolCalls(List.of(new ToolCall("call_1", "function", "order", ARGUMENTS)))
                                .build()
                        : new AssistantMessage(answer);
                return new ChatResponse(
                        List.of(new Generation(message)),
                        ChatResponseMetadata.builder()
                                .model("stand-in")
                                .usage(new DefaultUsage(100, 10))
                                .build());
            }

            @Override
            public ChatOptions getDefaultOptions() {
                return ToolCallingChatOptions.builder().build();
            }
        };
    }

    dev.langchain4j.model.chat.ChatModel langChain4j(ChatModelListener listener) {
        return new dev.langchain4j.model.chat.ChatModel() {
            @Override
            public dev.langchain4j.model.chat.response.ChatResponse doChat(ChatRequest request) {
                String answer = decide(request.messages().toString());
                ToolExecutionRequest order = ToolExecutionRequest.builder()
                        .id("call_1")
                        .name("order")
                        .arguments(ARGUMENTS)
                        .build();
                AiMessage message = answer.isEmpty() ? AiMessage.from(order) : AiMessage.from(answer);
                return dev.langchain4j.model.chat.response.ChatResponse.builder()
                        .aiMessage(message)
                        .modelName("stand-in")
                        .tokenUsage(new TokenUsage(100, 10))
                        .build();
            }

            @Override
            public List<ChatModelListener> listeners() {
                return List.of(listener);
            }
        };
    }
}
