package dev.agenthealth.testkit;

import dev.agenthealth.emulator.AwsEndpoint;
import dev.agenthealth.emulator.ScriptedCalls;
import dev.agenthealth.emulator.http.AwsService;
import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A service of the emulator that takes a port only when its client is asked for, because most tests do not call it. Thread-safe. */
final class LazyService implements AutoCloseable {

    private final ScriptedCalls calls = new ScriptedCalls();
    private final AwsService service;
    private AwsEndpoint endpoint;

    LazyService(AwsService service) {
        this.service = service;
    }

    ScriptedCalls calls() {
        return calls;
    }

    AwsService service() {
        return service;
    }

    synchronized AwsEndpoint endpoint() {
        if (endpoint == null) {
            try {
                endpoint = AwsEndpoint.bind(EmulatorLog.none());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            endpoint.start(calls, service);
        }
        return endpoint;
    }

    @Override
    public synchronized void close() {
        if (endpoint != null) {
            endpoint.close();
        }
    }
}
