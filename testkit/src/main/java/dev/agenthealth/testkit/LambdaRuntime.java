package dev.agenthealth.testkit;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.serialization.factories.JacksonFactory;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/**
 * Invokes a handler with JSON and returns its result as JSON. It uses the serialization library of Lambda's Java runtime, and the runtime's
 * rule for choosing the serializer. A type that Lambda cannot read or write therefore fails in tests.
 */
public final class LambdaRuntime {

    private LambdaRuntime() {}

    /** Returns the handler's result as JSON text. */
    public static String invoke(RequestHandler<?, ?> handler, String json, Context context) {
        Type[] types = types(handler.getClass());
        Object result = handle(handler, serializer(types[0]).fromJson(json), context);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        serializer(types[1]).toJson(result, written);
        return written.toString(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("unchecked")
    private static Object handle(RequestHandler<?, ?> handler, Object input, Context context) {
        return ((RequestHandler<Object, Object>) handler).handleRequest(input, context);
    }

    /** Returns the input and output types that the class or a superclass declares for {@link RequestHandler}. */
    private static Type[] types(Class<?> handler) {
        for (Class<?> type = handler; type != null; type = type.getSuperclass()) {
            for (Type implemented : type.getGenericInterfaces()) {
                if (implemented instanceof ParameterizedType stated && stated.getRawType() == RequestHandler.class) {
                    return stated.getActualTypeArguments();
                }
            }
        }
        throw new AssertionError(handler + " states no types for RequestHandler");
    }

    @SuppressWarnings("unchecked")
    private static PojoSerializer<Object> serializer(Type type) {
        if (type instanceof Class<?> known && LambdaEventSerializers.isLambdaSupportedEvent(known.getName())) {
            return (PojoSerializer<Object>) LambdaEventSerializers.serializerFor(known, known.getClassLoader());
        }
        return JacksonFactory.getInstance().getSerializer(type);
    }
}
