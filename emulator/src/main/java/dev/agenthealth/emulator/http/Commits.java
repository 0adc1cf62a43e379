package dev.agenthealth.emulator.http;

/** Commits that a thread shares between several requests. Without a database in the process, {@link #NONE}. */
public interface Commits {

    /** No changes wait for a commit. */
    Commits NONE = new Commits() {

        @Override
        public void defer() {}

        @Override
        public boolean hasDeferred() {
            return false;
        }

        @Override
        public boolean isCommitted() {
            return true;
        }

        @Override
        public boolean commitDeferred() {
            return true;
        }
    };

    /** Lets later changes of the calling thread return before their commit. */
    void defer();

    /** Returns true if the calling thread has deferred a change since its last {@link #commitDeferred}. */
    boolean hasDeferred();

    /** Returns true if another commit has included every deferred change of the calling thread. */
    boolean isCommitted();

    /** Commits the deferred changes of the calling thread, and ends the deferral. Returns false if one of them is lost. */
    boolean commitDeferred();
}
