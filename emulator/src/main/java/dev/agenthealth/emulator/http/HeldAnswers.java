package dev.agenthealth.emulator.http;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The answers to brief requests that wait for the commit of their changes. A reader answers the requests of all its connections that have
 * bytes, and then their changes share a commit. Thread-safe: each thread holds its own answers.
 */
final class HeldAnswers {

    /** The maximum number of answers that a thread holds, so that the first one does not wait long for the last. */
    static final int MAX = 16;

    private final ThreadLocal<Held> held = new ThreadLocal<>();
    private volatile Commits commits = Commits.NONE;

    /** An answer that waits. */
    @FunctionalInterface
    interface Answer {

        /** @param committed false if a change of the thread is lost */
        void send(boolean committed);
    }

    /** The answers of a thread. */
    private static final class Held {

        private final Deque<Answer> answers = new ArrayDeque<>();
        private boolean releasing;
    }

    void commits(Commits ofDatabase) {
        commits = ofDatabase;
    }

    /** Begins to hold answers of the calling thread, until {@link #exit}. */
    void enter() {
        if (held.get() == null) {
            held.set(new Held());
        }
    }

    /** Lets the changes of the next request share a commit, if the calling thread holds answers. */
    void defer() {
        if (held.get() != null) {
            commits.defer();
        }
    }

    /** Returns true if the answer is sent later. */
    boolean hold(Answer answer) {
        Held own = held.get();
        if (own == null || !commits.hasDeferred()) {
            return false;
        }
        own.answers.add(answer);
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
        try {
            boolean committed = commits.commitDeferred();
            while (!own.answers.isEmpty()) {
                own.answers.remove().send(committed);
            }
        } finally {
            own.releasing = false;
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
        release();
        held.remove();
    }
}
