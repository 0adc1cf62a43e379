package dev.agenthealth.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.testkit.HealthDocumentSchema;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An agent that serves its document from a servlet container. */
class HealthDocumentServletTest {

    private final HealthDocumentServlet servlet =
            new HealthDocumentServlet(OwnHealth.builder("agent").build());
    private final Map<String, Object> answer = new HashMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    @Test
    void a_servlet_serves_the_document() throws IOException {
        send("GET", null);

        assertThat(answer).containsEntry("status", 200).containsEntry("Content-Type", "application/json");
        new HealthDocumentSchema().check(body.toString(StandardCharsets.UTF_8));
    }

    @Test
    void an_unchanged_document_and_a_head_have_no_body() throws IOException {
        send("HEAD", null);
        assertThat(answer).containsEntry("status", 200).containsKey("length");
        send("GET", (String) answer.get("ETag"));

        assertThat(answer).containsEntry("status", 304);
        assertThat(body.size()).isZero();
    }

    @Test
    void other_methods_are_refused() throws IOException {
        send("POST", null);

        assertThat(answer).containsEntry("status", 405).containsEntry("Allow", "GET, HEAD");
    }

    private void send(String method, String ifNoneMatch) throws IOException {
        HttpServletRequest request =
                stub(HttpServletRequest.class, (proxy, called, arguments) -> switch (called.getName()) {
                    case "getMethod" -> method;
                    case "getHeader" -> ifNoneMatch;
                    default -> throw new UnsupportedOperationException(called.getName());
                });
        HttpServletResponse response =
                stub(HttpServletResponse.class, (proxy, called, arguments) -> switch (called.getName()) {
                    case "setStatus" -> answer.put("status", arguments[0]);
                    case "setHeader" -> answer.put((String) arguments[0], arguments[1]);
                    case "setContentLength" -> answer.put("length", arguments[0]);
                    case "getOutputStream" -> new Output();
                    default -> throw new UnsupportedOperationException(called.getName());
                });
        servlet.service(request, response);
    }

    private static <T> T stub(Class<T> type, InvocationHandler handler) {
        // A proxy returns what its method declares, which is nothing for setters.
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result = handler.invoke(proxy, method, arguments);
                    return method.getReturnType() == void.class ? null : result;
                }));
    }

    private final class Output extends ServletOutputStream {

        @Override
        public void write(int value) {
            body.write(value);
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new UnsupportedOperationException();
        }
    }
}
