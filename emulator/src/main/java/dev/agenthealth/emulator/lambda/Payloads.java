package dev.agenthealth.emulator.lambda;

import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.amazonaws.services.lambda.runtime.serialization.factories.JacksonFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads and writes payloads with the serializers of Lambda's Java runtime, which are stricter than plain Jackson. Thread-safe.
 */
final class Payloads {

    private final Map<Type, PojoSerializer<Object>> serializers = new ConcurrentHashMap<>();

    /** @throws RuntimeException if the payload is not JSON of the type */
    Object read(byte[] payload, Type type) {
        return serializers.computeIfAbsent(type, Payloads::serializer).fromJson(new ByteArrayInputStream(payload));
    }

    /** Returns the value as JSON; {@code null} for null. */
    byte[] write(Object value) {
        if (value == null) {
            return "null".getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        serializers.computeIfAbsent(value.getClass(), Payloads::serializer).toJson(value, bytes);
        return bytes.toByteArray();
    }

    @SuppressWarnings("unchecked")
    private static PojoSerializer<Object> serializer(Type type) {
        if (type instanceof Class<?> known && LambdaEventSerializers.isLambdaSupportedEvent(known.getName())) {
            return (PojoSerializer<Object>) LambdaEventSerializers.serializerFor(known, known.getClassLoader());
        }
        return JacksonFactory.getInstance().getSerializer(type);
    }
}
