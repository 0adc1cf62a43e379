package dev.agenthealth.local.cli;

/** The exit statuses of every command. */
final class ExitStatus {

    static final int OK = 0;

    /** The command could not do its work. */
    static final int FAILED = 1;

    /** The arguments or a variable are wrong. */
    static final int USAGE = 2;

    /** The command did its work and found a problem. */
    static final int NOT_FINE = 3;

    /** The reader of the output closed it. The status equals the status of a program that SIGPIPE ends. */
    static final int OUTPUT_CLOSED = 141;

    private ExitStatus() {}
}
