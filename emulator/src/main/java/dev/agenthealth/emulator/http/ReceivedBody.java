package dev.agenthealth.emulator.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;

/**
 * The body of a request while it arrives. A small body is always received. A larger body is received only if the key is valid, and within
 * the budget of all bodies. If a request needs only the start of its body, the rest is dropped.
 */
final class ReceivedBody implements Runnable {

    /** The maximum size of a small body, which costs less than the lookup of the key. */
    static final int SMALL_BYTES = 16 * 1_024;

    private static final int MAX_STEP_BYTES = 1_024 * 1_024;

    /** The bytes of a refused body that are still read, so that its sender receives the response. */
    private static final int MAX_DISCARDED_BYTES = 32 * 1_024 * 1_024;

    /** The limit of these bytes for a request without a valid key. A lower limit than a usual batch would lose the response. */
    private static final int MAX_DISCARDED_OF_UNKNOWN = 2 * 1_024 * 1_024;

    private final Request request;
    private final Connections.Client client;
    private final Endpoint endpoint;
    private final RawRequest head;
    private final BodyBudget budget;
    private final Semaphore keyChecks;
    private final boolean needsOnlyStart;
    private final AtomicLong taken = new AtomicLong();
    private ByteArrayOutputStream bytes;
    private Optional<RawResponse> refusal = Optional.empty();
    private long discarded;
    private long maxDiscarded = MAX_DISCARDED_BYTES;
    private Receiver receiver;

    /** Takes the body; one of the methods is called once. */
    interface Receiver {

        void received(byte[] bytes);

        void refused(RawResponse refusal);

        void failed(Throwable cause);
    }

    /** @param keyChecks limits the number of concurrent key lookups */
    ReceivedBody(
            Request request,
            Connections.Client client,
            Endpoint endpoint,
            RawRequest head,
            BodyBudget budget,
            Semaphore keyChecks) {
        this.request = request;
        this.client = client;
        this.endpoint = endpoint;
        this.head = head;
        this.budget = budget;
        this.keyChecks = keyChecks;
        this.needsOnlyStart = endpoint.needsOnlyStart(head);
    }

    void receive(Receiver newReceiver) {
        receiver = newReceiver;
        bytes = new ByteArrayOutputStream((int) Math.max(0, Math.min(request.getLength(), SMALL_BYTES)));
        makeRoom(request.getLength());
        client.bodyBegins();
        run();
    }

    /** Runs after each part of the body arrives. */
    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                receiver.failed(chunk.getFailure());
                return;
            }
            client.bodyReceived(chunk.remaining());
            keep(chunk);
            chunk.release();
            if (chunk.isLast() || discarded > maxDiscarded) {
                end();
                return;
            }
        }
    }

    private void end() {
        if (refusal.isPresent()) {
            receiver.refused(refusal.get());
            return;
        }
        byte[] whole = bytes.toByteArray();
        bytes = null;
        receiver.received(whole);
    }

    private void keep(Content.Chunk chunk) {
        if (needsOnlyStart) {
            keepStart(BufferUtil.toArray(chunk.getByteBuffer()));
            return;
        }
        if (refusal.isEmpty()) {
            makeRoom((long) bytes.size() + chunk.remaining());
        }
        if (refusal.isEmpty()) {
            append(chunk.getByteBuffer());
        } else {
            bytes = null;
            discarded += chunk.remaining();
        }
    }

    private void append(ByteBuffer part) {
        if (part.hasArray()) {
            bytes.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
        } else {
            bytes.writeBytes(BufferUtil.toArray(part));
        }
    }

    private void keepStart(byte[] part) {
        int kept = Math.min(part.length, SMALL_BYTES - bytes.size());
        bytes.write(part, 0, kept);
        if (discarded == 0 && kept < part.length && !hasValidKey()) {
            maxDiscarded = MAX_DISCARDED_OF_UNKNOWN;
        }
        discarded += part.length - kept;
    }

    /**
     * Decides whether a body of this size is received.
     *
     * @param size -1 if it is not known yet
     */
    private void makeRoom(long size) {
        if (needsOnlyStart || size <= SMALL_BYTES || size <= taken.get()) {
            return;
        }
        if (taken.get() == 0 && !mayBeLarge()) {
            return;
        }
        if (size > WebServer.MAX_BODY_BYTES) {
            refuse(endpoint.refusal(
                    head, 413, "payload_too_large", "A body has at most " + WebServer.MAX_BODY_BYTES + " bytes."));
            return;
        }
        long wanted = Math.max(size, Math.min(WebServer.MAX_BODY_BYTES, taken.get() + MAX_STEP_BYTES));
        long more = (request.getLength() >= 0 ? size : wanted) - taken.get();
        if (budget.take(head.caller(), more)) {
            if (taken.getAndAdd(more) == 0) {
                Request.addCompletionListener(request, failure -> release());
            }
        } else {
            refuseForNow();
        }
    }

    /** Returns true if the key is valid; false also if too many keys are being looked up. */
    private boolean hasValidKey() {
        if (!keyChecks.tryAcquire()) {
            return false;
        }
        try {
            return endpoint.hasValidKey(head);
        } finally {
            keyChecks.release();
        }
    }

    private boolean mayBeLarge() {
        if (!keyChecks.tryAcquire()) {
            refuseForNow();
            return false;
        }
        try {
            if (endpoint.hasValidKey(head)) {
                return true;
            }
        } finally {
            keyChecks.release();
        }
        maxDiscarded = MAX_DISCARDED_OF_UNKNOWN;
        refuse(endpoint.refusal(
                        head,
                        401,
                        "unauthenticated",
                        "A valid API key is needed in the header X-API-Key, or as bearer token in Authorization.")
                .with("WWW-Authenticate", "Bearer realm=\"agent-health\", ApiKey realm=\"agent-health\""));
        return false;
    }

    private void refuseForNow() {
        refuse(endpoint.refusal(head, 429, "too_many_requests", "Too many large requests are in progress.")
                .with("Retry-After", "1"));
    }

    private void refuse(RawResponse response) {
        refusal = Optional.of(response);
        release();
    }

    /** Gives the memory back to the budget; may be called more than once. */
    void release() {
        budget.release(head.caller(), taken.getAndSet(0));
    }
}
