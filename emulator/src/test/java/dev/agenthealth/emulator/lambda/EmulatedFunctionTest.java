package dev.agenthealth.emulator.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.template.FunctionDefinition;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a function's first handler is created. */
@Timeout(60)
class EmulatedFunctionTest {

    private final Creations creations = new Creations();
    private final EmulatedFunction function = function(creations);

    private static EmulatedFunction function(Creations creations) {
        FunctionDefinition definition = new FunctionDefinition(
                "Counted",
                "Counted",
                new FunctionDefinition.Handler("", Counted.class.getName(), "handleRequest"),
                Map.of(),
                new FunctionDefinition.Instance(Duration.ofSeconds(3), 128, false),
                new FunctionDefinition.Triggers(List.of(), List.of(), List.of(), List.of()),
                List.of());
        return EmulatedFunction.withoutHandler(definition, creations, Clock.systemUTC(), System.out);
    }

    /** Counts handlers, and keeps their constructor waiting. */
    public static final class Creations {

        private final AtomicInteger handlers = new AtomicInteger();
        private final CountDownLatch begun = new CountDownLatch(1);
        private CountDownLatch mayEnd = new CountDownLatch(0);
        private boolean fails;
    }

    /** Returns its input. */
    public static final class Counted implements RequestHandler<String, String> {

        public Counted(Creations creations) throws InterruptedException {
            creations.handlers.incrementAndGet();
            creations.begun.countDown();
            creations.mayEnd.await();
            if (creations.fails) {
                throw new IllegalArgumentException("no table");
            }
        }

        @Override
        public String handleRequest(String input, Context context) {
            return input;
        }
    }

    @Test
    void the_first_invocation_creates_a_handler_that_does_not_exist() {
        assertThat(creations.handlers).hasValue(0);
        assertThat(function.handle("a")).isEqualTo("a");
        assertThat(function.handle("b")).isEqualTo("b");
        function.createHandler();
        assertThat(creations.handlers).hasValue(1);
    }

    @Test
    void an_invocation_waits_for_the_handler_that_the_start_creates() throws InterruptedException {
        creations.mayEnd = new CountDownLatch(1);
        Thread start = new Thread(function::createHandler);
        start.start();
        creations.begun.await();
        AtomicReference<Object> result = new AtomicReference<>();
        Thread request = new Thread(() -> result.set(function.handle("a")));
        request.start();
        while (request.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        creations.mayEnd.countDown();
        start.join();
        request.join();
        assertThat(result).hasValue("a");
        assertThat(creations.handlers).hasValue(1);
    }

    @Test
    void an_invocation_whose_handler_cannot_be_created_fails() {
        creations.fails = true;
        assertThatThrownBy(() -> function.handle("a"))
                .isInstanceOf(FunctionFailedException.class)
                .hasStackTraceContaining("no table");
    }

    @Test
    void a_handler_that_cannot_be_created_fails_the_start() {
        creations.fails = true;
        assertThatThrownBy(function::createHandler)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Counted.Handler")
                .hasMessageContaining("no table");
    }
}
