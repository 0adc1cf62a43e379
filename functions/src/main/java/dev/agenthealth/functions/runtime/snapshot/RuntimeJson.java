package dev.agenthealth.functions.runtime.snapshot;

import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;

/**
 * The library with which the Lambda runtime reads events and writes responses. The library is part of the runtime and not of the deployed
 * package. If it is missing, using this class fails with a {@link LinkageError}.
 */
public final class RuntimeJson {

    private RuntimeJson() {}

    /** Reads an event from JSON. */
    public static <T> T event(Class<T> type, String json) {
        return LambdaEventSerializers.serializerFor(type, type.getClassLoader()).fromJson(json);
    }

    /** Returns the length of a response in JSON, in bytes. */
    public static <T> int bytes(Class<T> type, T answer) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LambdaEventSerializers.serializerFor(type, type.getClassLoader()).toJson(answer, out);
        return out.size();
    }
}
