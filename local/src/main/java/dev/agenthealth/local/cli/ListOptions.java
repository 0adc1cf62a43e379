package dev.agenthealth.local.cli;

import picocli.CommandLine.Option;

/** The form, the order and the columns of a list. */
final class ListOptions extends OutputOptions {

    @Option(
            names = "--sort",
            paramLabel = "COLUMN",
            defaultValue = "",
            description =
                    "sort by the column with this title; with a minus before it, the largest first, as in --sort=-score")
    private String sort;

    @Option(
            names = {"-q", "--quiet"},
            description = "print the first column alone, without a title, for scripts")
    private boolean quiet;

    boolean isSorted() {
        return !sort.isEmpty();
    }

    boolean isDescending() {
        return sort.startsWith("-");
    }

    /** Returns the title of the column to sort by. */
    String sortColumn() {
        return isDescending() ? sort.substring(1) : sort;
    }

    boolean isQuiet() {
        return quiet;
    }
}
