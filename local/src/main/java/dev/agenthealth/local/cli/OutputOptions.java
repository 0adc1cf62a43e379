package dev.agenthealth.local.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The form in which a command prints its answer. */
class OutputOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table (default), wide for more columns, or json for the answer of the API")
    private Format format;

    @Option(names = "--json", description = "the same as -o json")
    private boolean json;

    /** The forms, in lower case for input. */
    enum Format {
        table,
        wide,
        json
    }

    CommandSpec spec() {
        return spec;
    }

    boolean isJson() {
        return json || format == Format.json;
    }

    boolean isWide() {
        return format == Format.wide;
    }
}
