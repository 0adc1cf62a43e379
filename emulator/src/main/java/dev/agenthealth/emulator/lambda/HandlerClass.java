package dev.agenthealth.emulator.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.template.FunctionDefinition;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;

/** The class that a function's {@code Handler} names. Immutable. */
final class HandlerClass {

    private static final String METHOD = "handleRequest";

    private final String place;
    private final Constructor<? extends RequestHandler<?, ?>> constructor;
    private final Type inputType;

    private HandlerClass(String place, Constructor<? extends RequestHandler<?, ?>> constructor, Type inputType) {
        this.place = place;
        this.constructor = constructor;
        this.inputType = inputType;
    }

    /**
     * @throws IllegalStateException if the class does not exist, or is not a request handler that takes the wiring; the message says what
     *     is missing
     */
    static HandlerClass of(FunctionDefinition definition, Class<?> wiring) {
        String place = definition.logicalId() + ".Handler " + definition.handlerClass();
        if (!definition.handlerMethod().equals(METHOD)) {
            throw new IllegalStateException(place + ": the method must be " + METHOD);
        }
        Class<? extends RequestHandler<?, ?>> type = load(place, definition.handlerClass());
        try {
            return new HandlerClass(place, type.getConstructor(wiring), inputType(place, type));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    place + ": has no public constructor that takes a " + wiring.getSimpleName(), e);
        }
    }

    /** Returns the parameter type of the handler's method. */
    Type inputType() {
        return inputType;
    }

    /**
     * Returns a new handler.
     *
     * @throws IllegalStateException if the constructor fails
     */
    @SuppressWarnings("unchecked")
    RequestHandler<Object, Object> create(Object wiring) {
        try {
            return (RequestHandler<Object, Object>) constructor.newInstance(wiring);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(place + ": cannot be made: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(place + ": cannot be made", e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Class<? extends RequestHandler<?, ?>> load(String place, String name) {
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(place + ": there is no such class", e);
        }
        if (!RequestHandler.class.isAssignableFrom(type)) {
            throw new IllegalStateException(place + ": is not a RequestHandler");
        }
        return (Class<? extends RequestHandler<?, ?>>) type;
    }

    private static Type inputType(String place, Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getName().equals(METHOD) && !method.isBridge())
                .filter(method -> method.getParameterCount() == 2 && method.getParameterTypes()[1] == Context.class)
                .map(HandlerClass::firstParameter)
                .filter(parameter -> parameter instanceof Class<?> || parameter instanceof ParameterizedType)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(place + ": has no " + METHOD + " of a definite type"));
    }

    private static Type firstParameter(Method method) {
        return method.getGenericParameterTypes()[0];
    }
}
