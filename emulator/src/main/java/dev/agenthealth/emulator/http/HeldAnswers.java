package dev.agenthealth.emulator.http;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The answers to brief requests that wait for the commit of their changes. A reader answers the requests of all its connections that have
 * bytes, and then their changes share a commit. Thread-safe: each thread holds its own answers.
 */
final class HeldAnswers {

    /** The maximum number of answers that a thread holds, so that the first one does not wait long for the last. */
    static final int MAX = 16;

    private final EmulatorLog log;
    private final ThreadLocal<Held> held = new ThreadLocal<>();
    private volatile Commits commits = Commits.NONE;

    /** An answer that waits. */
    @FunctionalInterface
    interface Answer {

        /** @param committed false if a change of the thread is lost */
        void send(boolean committed);
    }

    /** The answers of a thread. */
    private final class Held {

        private final Deque<Answer> answers = new ArrayDeque<>();
        private boolean releasing;

        /** True if a change of the request in progress is lost. */
        private boolean lost;

        void sendAll(boolean committed) {
            while (!answers.isEmpty()) {
                try {
                    answers.remove().send(committed);
                } catch (RuntimeException | Error e) {
                    // The other answers must be sent.
                    log.failure("response_failed", "held answer", e);
                }
            }
        }
    }

    HeldAnswers(EmulatorLog log) {
        this.log = log;
    }

    void commits(Commits ofDatabase) {
        commits = ofDatabase;
    }

    /** Begins to hold answers of the calling thread, until {@link #exit}. */
    void enter() {
        if (held.get() == null) {
            held.set(new Held());
        }
        held.get().lost = false;
    }

    /** Lets the changes of the next request share a commit, if the calling thread holds answers. */
    void defer() {
        Held own = held.get();
        if (own != null) {
            own.lost = false;
            commits.defer();
        }
    }

    /** Returns true if the answer is sent later. */
    boolean hold(Answer answer) {
        Held own = held.get();
        if (own == null || !own.lost && !commits.hasDeferred()) {
            return false;
        }
        own.answers.add(own.lost ? committed -> answer.send(false) : answer);
        return true;
    }

    /** Returns true if the calling thread holds as many answers as it may. */
    boolean isFull() {
        Held own = held.get();
        return own != null && own.answers.size() >= MAX;
    }

    /** Commits the changes of the calling thread, and sends its answers. No request begins in the thread meanwhile. */
    void release() {
        Held own = held.get();
        if (own == null || own.releasing) {
            return;
        }
        own.releasing = true;
        boolean committed = commit();
        own.lost |= !committed;
        own.sendAll(committed);
        own.releasing = false;
    }

    private boolean commit() {
        try {
            return commits.commitDeferred();
        } catch (RuntimeException | Error e) {
            // The callers get to know that their changes may be lost, and the reader reads on.
            log.failure("commit_failed", "held answers", e);
            return false;
        }
    }

    /** Sends the answers of the calling thread if their changes are committed. The thread is about to wait within another request. */
    void releaseCommitted() {
        if (commits.isCommitted()) {
            release();
        }
    }

    /** Returns true while the calling thread sends the answers that it held. */
    boolean isReleasing() {
        Held own = held.get();
        return own != null && own.releasing;
    }

    /** Releases the answers of the calling thread, which holds no others. */
    void exit() {
        try {
            release();
        } finally {
            held.remove();
        }
    }
}
