package dev.agenthealth.emulator.lambda;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.template.FunctionDefinition;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

/**
 * A function of the template, ready to be invoked in this JVM. Thread-safe.
 *
 * <p>As in Lambda, a handler object processes one invocation at a time: an invocation uses an idle handler or creates a new handler. The
 * start creates the first handler, so that a broken function fails the start. An earlier invocation creates it if it needs it.
 */
public final class EmulatedFunction implements Invocable {

    private final FunctionDefinition definition;
    private final HandlerClass handlerClass;
    private final Object wiring;
    private final Payloads payloads = new Payloads();
    private final Clock clock;
    private final PrintStream out;
    private final Deque<RequestHandler<Object, Object>> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean hasHandler;

    private EmulatedFunction(FunctionDefinition definition, Object wiring, Clock clock, PrintStream out) {
        this.definition = definition;
        this.handlerClass = HandlerClass.of(definition, wiring.getClass());
        this.wiring = wiring;
        this.clock = clock;
        this.out = out;
    }

    /**
     * Creates the first handler.
     *
     * @param wiring the single argument of the handler's public constructor
     * @param clock measures the time that an invocation has left
     * @param out receives the function's log lines
     * @throws IllegalStateException if the handler cannot be found or created
     */
    public static EmulatedFunction start(FunctionDefinition definition, Object wiring, Clock clock, PrintStream out) {
        EmulatedFunction function = withoutHandler(definition, wiring, clock, out);
        function.createHandler();
        return function;
    }

    /**
     * Returns a function whose first handler {@link #createHandler} or the first invocation creates. The parameters are those of {@link
     * #start}.
     *
     * @throws IllegalStateException if the handler's class cannot be found
     */
    public static EmulatedFunction withoutHandler(
            FunctionDefinition definition, Object wiring, Clock clock, PrintStream out) {
        return new EmulatedFunction(definition, wiring, clock, out);
    }

    /**
     * Creates the first handler if the function has none, or waits until another thread has created it.
     *
     * @throws IllegalStateException if the handler cannot be created
     */
    public synchronized void createHandler() {
        if (!hasHandler) {
            idle.push(handlerClass.create(wiring));
            hasHandler = true;
        }
    }

    public FunctionDefinition definition() {
        return definition;
    }

    /**
     * Returns true if the handler takes events of the type.
     *
     * @param eventType a class in {@code com.amazonaws.services.lambda.runtime.events}
     */
    public boolean takes(Class<?> eventType) {
        return handlerClass.inputType().equals(eventType);
    }

    /**
     * Invokes the function with an event of the type that its handler takes.
     *
     * @return the result of the handler; may be null
     * @throws FunctionFailedException if the handler threw anything, or cannot be created
     */
    public Object handle(Object event) {
        RequestHandler<Object, Object> handler = guarded(this::idleHandler);
        try {
            return handler.handleRequest(event, new Invocation(definition, clock, out));
        } catch (Throwable thrown) {
            // As in Lambda, anything that a handler throws, errors included, is a failed invocation.
            throw new FunctionFailedException(definition.name(), thrown);
        } finally {
            idle.push(handler);
        }
    }

    private RequestHandler<Object, Object> idleHandler() {
        if (!hasHandler) {
            createHandler();
        }
        RequestHandler<Object, Object> handler = idle.poll();
        return handler == null ? handlerClass.create(wiring) : handler;
    }

    @Override
    public byte[] invoke(byte[] payload) {
        Object result = handle(guarded(() -> payloads.read(payload, handlerClass.inputType())));
        return guarded(() -> payloads.write(result));
    }

    private <T> T guarded(Supplier<T> conversion) {
        try {
            return conversion.get();
        } catch (RuntimeException e) {
            throw new FunctionFailedException(definition.name(), e);
        }
    }
}
