package dev.agenthealth.emulator.support;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The ids of requests and invocations. They are unique but no secrets, so that they need no cryptographic generator. */
public final class RequestIds {

    private static final long VERSION_4 = 0x4000L;
    private static final long VARIANT_1 = 0x8000_0000_0000_0000L;

    private RequestIds() {}

    /** Returns a random UUID. */
    public static String next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong() & ~0xf000L | VERSION_4, random.nextLong() >>> 2 | VARIANT_1).toString();
    }
}
