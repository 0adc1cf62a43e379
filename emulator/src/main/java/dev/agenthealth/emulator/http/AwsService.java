package dev.agenthealth.emulator.http;

import java.util.Optional;

/** A service of AWS, reached over HTTP. Thread-safe. */
public interface AwsService extends Endpoint {

    /** The operation that a request names, for example {@code PutEvents}; empty when it is none of this service. */
    Optional<String> operation(RawRequest request);
}
