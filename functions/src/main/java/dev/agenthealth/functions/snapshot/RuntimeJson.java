package dev.agenthealth.functions.snapshot;

import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;

/**
 * The library with which Lambda's runtime reads events and writes answers. It is the runtime's and not part of what is deployed: where it
 * is missing, using this class fails with a {@link LinkageError}.
 */
public final class RuntimeJson {

    private RuntimeJson() {}

    /** The event that this JSON text is. */
    public static <T> T event(Class<T> type, String json) {
        return LambdaEventSerializers.serializerFor(type, type.getClassLoader()).fromJson(json);
    }

    /** How many bytes this answer is in JSON. */
    public static <T> int bytes(Class<T> type, T answer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LambdaEventSerializers.serializerFor(type, type.getClassLoader()).toJson(answer, out);
        return out.size();
    }
}
