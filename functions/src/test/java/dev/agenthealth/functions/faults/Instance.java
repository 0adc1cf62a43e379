package dev.agenthealth.functions.faults;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.testing.TestApi;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/** One running instance of a function, with a clock of its own, which can be killed between two of its calls. Thread-safe. */
final class Instance extends Clock {

    private static final int NEVER = Integer.MAX_VALUE;

    private final String function;
    private final Clock real;
    private volatile Duration ahead = Duration.ZERO;
    private volatile boolean ready;
    private int calls;
    private int lastCall = NEVER;
    private boolean dead;
    private RequestHandler<?, ?> handler;
    private TestApi api;

    Instance(String function, Clock real) {
        this.function = function;
        this.real = real;
    }

    /** The instance takes work from now on; faults hit it from now on. */
    void ready(RequestHandler<?, ?> started) {
        handler = started;
        api = started instanceof HttpFunction http ? new TestApi(List.of(http)) : null;
        ready = true;
    }

    boolean isReady() {
        return ready;
    }

    String function() {
        return function;
    }

    RequestHandler<?, ?> handler() {
        return handler;
    }

    TestApi api() {
        return api;
    }

    /** Sets by how much its clock is ahead, or behind where it is negative. */
    void setAhead(Duration difference) {
        ahead = difference;
    }

    /** Begins an invocation, which may make so many calls. */
    synchronized void begin(int allowedCalls) {
        calls = 0;
        lastCall = allowedCalls;
    }

    /** Does not kill it from now on, unless it is dead. */
    synchronized void spare() {
        lastCall = NEVER;
    }

    /** Counts a call that the instance is about to make. */
    synchronized void call() {
        if (dead || calls >= lastCall) {
            dead = true;
            throw new Killed();
        }
        calls++;
    }

    /** Ends the process where it made its last call, before it gives an answer. */
    synchronized void answer() {
        if (dead || calls >= lastCall) {
            dead = true;
            throw new Killed();
        }
    }

    synchronized int calls() {
        return calls;
    }

    synchronized boolean isDead() {
        return dead;
    }

    @Override
    public Instant instant() {
        return real.instant().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
